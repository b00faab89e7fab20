//! The arrays that smooth dynamics works on, of one environment or of four side by side.

use sim_types::Lane;
use sim_types::cast::must_cast_slice_mut;

use crate::data::Data;
use crate::model::Model;

macro_rules! arrays {
    (
        numbers { $( $number:ident: $nsize:ident; )* }
        vectors { $( $vector:ident[$width:literal]: $vsize:ident $(in $part:ident)?; )* }
    ) => {
        /// Arrays of `Data`, by the same names, with a number per lane in place of each number.
        #[expect(non_snake_case, reason = "arrays keep MuJoCo's names")]
        pub(crate) struct View<'a, T> {
            $( pub(crate) $number: &'a mut [T], )*
            $( pub(crate) $vector: &'a mut [[T; $width]], )*
        }

        impl<'a> View<'a, f64> {
            /// Those of one environment.
            #[inline(always)]
            pub(crate) fn of(d: &'a mut Data) -> Self {
                Self {
                    $( $number: &mut d.$number, )*
                    $( $vector: must_cast_slice_mut(&mut d.$($part.)?$vector), )*
                }
            }
        }

        /// Memory for a view.
        #[derive(Clone, Debug)]
        #[expect(non_snake_case, reason = "arrays keep MuJoCo's names")]
        pub(crate) struct Store<T> {
            $( pub(crate) $number: Vec<T>, )*
            $( pub(crate) $vector: Vec<T>, )*
        }

        impl<T: Lane> Store<T> {
            /// Memory for a model, all zero.
            pub(crate) fn new(m: &Model, zero: T) -> Self {
                Self {
                    $( $number: vec![zero; m.$nsize], )*
                    $( $vector: vec![zero; m.$vsize * $width], )*
                }
            }

            /// The arrays.
            #[inline(always)]
            pub(crate) fn view(&mut self) -> View<'_, T> {
                View {
                    $( $number: &mut self.$number, )*
                    $( $vector: self.$vector.as_chunks_mut().0, )*
                }
            }

            /// Bytes on the heap.
            pub(crate) fn bytes(&self) -> usize {
                let numbers = [ $( self.$number.capacity(), )* $( self.$vector.capacity(), )* ];
                numbers.iter().sum::<usize>() * size_of::<T>()
            }
        }
    };
}

arrays! {
    numbers {
        qpos: nq;
        qvel: nv;
        M: nC;
    }
    vectors {
        mocap_pos[3]: nmocap;
        mocap_quat[4]: nmocap;
        xpos[3]: nbody;
        xquat[4]: nbody;
        xmat[9]: nbody;
        xipos[3]: nbody;
        ximat[9]: nbody;
        xanchor[3]: njnt;
        xaxis[3]: njnt;
        geom_xpos[3]: ngeom;
        geom_xmat[9]: ngeom;
        site_xpos[3]: nsite;
        site_xmat[9]: nsite;
        subtree_com[3]: nbody;
        cinert[10]: nbody;
        crb[10]: nbody;
        cdof[6]: nv;
        cvel[6]: nbody;
        cdof_dot[6]: nv;
        body_motion[6]: nbody in scratch;
        body_force[6]: nbody in scratch;
    }
}
