//! MuJoCo's enumerations, with MuJoCo 3.5.0's numbers.

use crate::item::Item;

/// Declares enums that are stored as numbers in model arrays.
macro_rules! numbered {
    ($($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $number:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[repr(i32)]
        pub enum $name { $($(#[$vdoc])* $variant = $number,)* }

        impl $name {
            /// All values, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The value with MuJoCo's number, if there is one.
            pub const fn from_number(number: i32) -> Option<Self> {
                match number {
                    $($number => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// MuJoCo's number.
            pub const fn number(self) -> i32 {
                self as i32
            }
        }

        impl Item for $name {
            const SHAPE: &'static [usize] = &[];
            fn write(&self, out: &mut Vec<f64>) {
                out.push(f64::from(self.number()));
            }
            fn read(numbers: &[f64]) -> Option<Self> {
                numbers.first().and_then(|x| Self::from_number(*x as i32))
            }
        }
    )*};
}

numbered! {
    /// Kind of joint (`mjtJoint`).
    JointType {
        /// Six degrees of freedom.
        Free = 0,
        /// Rotation about a point.
        Ball = 1,
        /// Translation along an axis.
        Slide = 2,
        /// Rotation about an axis.
        #[default]
        Hinge = 3,
    }
    /// Shape of a geom or site (`mjtGeom`).
    GeomType {
        /// Half space below z = 0.
        Plane = 0,
        /// Terrain of heights on a grid.
        Hfield = 1,
        /// Ball.
        #[default]
        Sphere = 2,
        /// Cylinder with round ends.
        Capsule = 3,
        /// Ellipsoid.
        Ellipsoid = 4,
        /// Cylinder.
        Cylinder = 5,
        /// Box.
        Box = 6,
        /// Convex hull of a mesh.
        Mesh = 7,
        /// Signed distance field.
        Sdf = 8,
    }
    /// How a camera or light moves with its body (`mjtCamLight`).
    CamLightMode {
        /// Fixed in the body.
        #[default]
        Fixed = 0,
        /// Follows the body, keeps its orientation in the world.
        Track = 1,
        /// Follows the centre of mass of the subtree, keeps its orientation in the world.
        TrackCom = 2,
        /// Fixed in the body, looks at another body.
        TargetBody = 3,
        /// Fixed in the body, looks at a subtree's centre of mass.
        TargetBodyCom = 4,
    }
    /// Camera projection (`mjtProjection`).
    Projection {
        /// Perspective.
        #[default]
        Perspective = 0,
        /// Orthographic.
        Orthographic = 1,
    }
    /// Kind of light (`mjtLightType`).
    LightType {
        /// Cone.
        #[default]
        Spot = 0,
        /// Parallel rays.
        Directional = 1,
        /// All directions.
        Point = 2,
        /// From a texture.
        Image = 3,
    }
    /// Integration method (`mjtIntegrator`).
    Integrator {
        /// Semi-implicit Euler.
        #[default]
        Euler = 0,
        /// Runge–Kutta of order four.
        Rk4 = 1,
        /// Implicit in velocity.
        Implicit = 2,
        /// Implicit in velocity, without Coriolis derivatives.
        ImplicitFast = 3,
        /// Springs and dampers of joints are implicit, dof by dof; an extension, MuJoCo has no such method.
        ImplicitSpringDamper = 4,
    }
    /// Friction cone (`mjtCone`).
    Cone {
        /// Pyramid.
        #[default]
        Pyramidal = 0,
        /// Elliptic.
        Elliptic = 1,
    }
    /// Storage of the constraint Jacobian (`mjtJacobian`).
    Jacobian {
        /// Dense.
        Dense = 0,
        /// Compressed rows.
        Sparse = 1,
        /// Sparse from 60 dofs on.
        #[default]
        Auto = 2,
    }
    /// Constraint solver (`mjtSolver`).
    Solver {
        /// Projected Gauss–Seidel.
        Pgs = 0,
        /// Conjugate gradient.
        Cg = 1,
        /// Newton.
        #[default]
        Newton = 2,
    }
    /// Equality constraint (`mjtEq`).
    EqType {
        /// Two bodies share a point.
        #[default]
        Connect = 0,
        /// Two bodies keep their relative pose.
        Weld = 1,
        /// One joint is a polynomial of another.
        Joint = 2,
        /// One tendon length is a polynomial of another.
        Tendon = 3,
        /// Edges of a flex keep their length.
        Flex = 4,
        /// Vertices of a flex keep their distances.
        FlexVert = 5,
        /// No longer supported by MuJoCo.
        Distance = 6,
    }
    /// How a flex is tested against itself (`mjtFlexSelf`).
    FlexSelf {
        /// Not at all.
        None = 0,
        /// Every pair of elements.
        Narrow = 1,
        /// Elements whose bounding volumes overlap.
        Bvh = 2,
        /// Elements that overlap along one axis.
        Sap = 3,
        /// Bounding volumes for tetrahedra, else along one axis.
        #[default]
        Auto = 4,
    }
    /// Kind of constraint row (`mjtConstraint`).
    ConstraintType {
        /// Equality.
        #[default]
        Equality = 0,
        /// Dry friction in a degree of freedom.
        FrictionDof = 1,
        /// Dry friction in a tendon.
        FrictionTendon = 2,
        /// Limit of a joint.
        LimitJoint = 3,
        /// Limit of a tendon.
        LimitTendon = 4,
        /// Contact without friction.
        ContactFrictionless = 5,
        /// Contact with a pyramidal friction cone.
        ContactPyramidal = 6,
        /// Contact with an elliptic friction cone.
        ContactElliptic = 7,
    }
    /// Object of a tendon path (`mjtWrap`).
    WrapType {
        /// Nothing.
        #[default]
        None = 0,
        /// Moment arm of a joint.
        Joint = 1,
        /// Splits the tendon.
        Pulley = 2,
        /// Passes through a site.
        Site = 3,
        /// Wraps around a sphere.
        Sphere = 4,
        /// Wraps around a cylinder.
        Cylinder = 5,
    }
    /// What an actuator acts on (`mjtTrn`).
    TrnType {
        /// Joint.
        #[default]
        Joint = 0,
        /// Joint, in the parent's frame.
        JointInParent = 1,
        /// Slider-crank.
        SliderCrank = 2,
        /// Tendon.
        Tendon = 3,
        /// Site.
        Site = 4,
        /// Adhesion of a body.
        Body = 5,
        /// Not given.
        Undefined = 1000,
    }
    /// Activation dynamics (`mjtDyn`).
    DynType {
        /// None.
        #[default]
        None = 0,
        /// Integrates the control.
        Integrator = 1,
        /// First-order filter.
        Filter = 2,
        /// First-order filter, integrated exactly.
        FilterExact = 3,
        /// Muscle activation.
        Muscle = 4,
        /// Given by the user.
        User = 5,
    }
    /// Actuator gain (`mjtGain`).
    GainType {
        /// Constant.
        #[default]
        Fixed = 0,
        /// Affine in length and velocity.
        Affine = 1,
        /// Muscle curves.
        Muscle = 2,
        /// Given by the user.
        User = 3,
    }
    /// Actuator bias (`mjtBias`).
    BiasType {
        /// None.
        #[default]
        None = 0,
        /// Affine in length and velocity.
        Affine = 1,
        /// Passive muscle force.
        Muscle = 2,
        /// Given by the user.
        User = 3,
    }
    /// Kind of model object (`mjtObj`).
    ObjType {
        /// None.
        #[default]
        Unknown = 0,
        /// Body, at its inertial frame.
        Body = 1,
        /// Body, at its own frame.
        XBody = 2,
        /// Joint.
        Joint = 3,
        /// Degree of freedom.
        Dof = 4,
        /// Geom.
        Geom = 5,
        /// Site.
        Site = 6,
        /// Camera.
        Camera = 7,
        /// Light.
        Light = 8,
        /// Deformable.
        Flex = 9,
        /// Mesh.
        Mesh = 10,
        /// Skin.
        Skin = 11,
        /// Height field.
        Hfield = 12,
        /// Texture.
        Texture = 13,
        /// Material.
        Material = 14,
        /// Contact pair.
        Pair = 15,
        /// Contact exclusion.
        Exclude = 16,
        /// Equality constraint.
        Equality = 17,
        /// Tendon.
        Tendon = 18,
        /// Actuator.
        Actuator = 19,
        /// Sensor.
        Sensor = 20,
        /// Custom numbers.
        Numeric = 21,
        /// Custom text.
        Text = 22,
        /// Custom tuple.
        Tuple = 23,
        /// Keyframe.
        Key = 24,
        /// Plugin instance.
        Plugin = 25,
    }
    /// Kind of sensor (`mjtSensor`).
    SensorType {
        /// Normal contact force in a site's volume.
        #[default]
        Touch = 0,
        /// Linear acceleration, local.
        Accelerometer = 1,
        /// Linear velocity, local.
        Velocimeter = 2,
        /// Angular velocity, local.
        Gyro = 3,
        /// Force between body and parent.
        Force = 4,
        /// Torque between body and parent.
        Torque = 5,
        /// Magnetic flux, local.
        Magnetometer = 6,
        /// Distance along a ray.
        Rangefinder = 7,
        /// Pixel of a site in a camera.
        CamProjection = 8,
        /// Joint position.
        JointPos = 9,
        /// Joint velocity.
        JointVel = 10,
        /// Tendon length.
        TendonPos = 11,
        /// Tendon velocity.
        TendonVel = 12,
        /// Actuator length.
        ActuatorPos = 13,
        /// Actuator velocity.
        ActuatorVel = 14,
        /// Actuator force.
        ActuatorFrc = 15,
        /// Actuator force on a joint.
        JointActFrc = 16,
        /// Actuator force on a tendon.
        TendonActFrc = 17,
        /// Orientation of a ball joint.
        BallQuat = 18,
        /// Angular velocity of a ball joint.
        BallAngVel = 19,
        /// Distance to a joint limit.
        JointLimitPos = 20,
        /// Velocity at a joint limit.
        JointLimitVel = 21,
        /// Force of a joint limit.
        JointLimitFrc = 22,
        /// Distance to a tendon limit.
        TendonLimitPos = 23,
        /// Velocity at a tendon limit.
        TendonLimitVel = 24,
        /// Force of a tendon limit.
        TendonLimitFrc = 25,
        /// Position of a frame.
        FramePos = 26,
        /// Orientation of a frame.
        FrameQuat = 27,
        /// X axis of a frame.
        FrameXAxis = 28,
        /// Y axis of a frame.
        FrameYAxis = 29,
        /// Z axis of a frame.
        FrameZAxis = 30,
        /// Linear velocity of a frame.
        FrameLinVel = 31,
        /// Angular velocity of a frame.
        FrameAngVel = 32,
        /// Linear acceleration of a frame.
        FrameLinAcc = 33,
        /// Angular acceleration of a frame.
        FrameAngAcc = 34,
        /// Centre of mass of a subtree.
        SubtreeCom = 35,
        /// Linear velocity of a subtree.
        SubtreeLinVel = 36,
        /// Angular momentum of a subtree.
        SubtreeAngMom = 37,
        /// Is an object inside a site.
        InsideSite = 38,
        /// Distance between geoms.
        GeomDist = 39,
        /// Direction between geoms.
        GeomNormal = 40,
        /// Segment between geoms.
        GeomFromTo = 41,
        /// Contacts.
        Contact = 42,
        /// Potential energy.
        EPotential = 43,
        /// Kinetic energy.
        EKinetic = 44,
        /// Simulated time.
        Clock = 45,
        /// Tactile field.
        Tactile = 46,
        /// Given by a plugin.
        Plugin = 47,
        /// Given by the user.
        User = 48,
    }
    /// Stage at which a quantity can be computed (`mjtStage`).
    Stage {
        /// None.
        #[default]
        None = 0,
        /// After positions.
        Pos = 1,
        /// After velocities.
        Vel = 2,
        /// After accelerations.
        Acc = 3,
    }
    /// What a sensor's numbers are (`mjtDataType`).
    DataType {
        /// Any.
        #[default]
        Real = 0,
        /// Not negative.
        Positive = 1,
        /// Unit vector.
        Axis = 2,
        /// Unit quaternion.
        Quaternion = 3,
    }
    /// Which frame an object shares with its body (`mjtSameFrame`).
    SameFrame {
        /// None.
        #[default]
        None = 0,
        /// The body's frame.
        Body = 1,
        /// The inertial frame.
        Inertia = 2,
        /// The body's orientation.
        BodyRot = 3,
        /// The inertial frame's orientation.
        InertiaRot = 4,
    }
    /// When a tree may sleep (`mjtSleepPolicy`).
    SleepPolicy {
        /// To be decided.
        #[default]
        Auto = 0,
        /// Decided: never.
        AutoNever = 1,
        /// Decided: allowed.
        AutoAllowed = 2,
        /// User: never.
        Never = 3,
        /// User: allowed.
        Allowed = 4,
        /// User: starts asleep.
        Init = 5,
    }
}

impl JointType {
    /// How many numbers of `qpos` a joint of this kind has.
    pub const fn nq(self) -> usize {
        match self {
            Self::Free => 7,
            Self::Ball => 4,
            Self::Slide | Self::Hinge => 1,
        }
    }

    /// How many degrees of freedom a joint of this kind has.
    pub const fn nv(self) -> usize {
        match self {
            Self::Free => 6,
            Self::Ball => 3,
            Self::Slide | Self::Hinge => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_mujocos() {
        assert_eq!(SensorType::User.number(), 48);
        assert_eq!(ObjType::Plugin.number(), 25);
        assert_eq!(GeomType::from_number(8), Some(GeomType::Sdf));
        assert_eq!(GeomType::from_number(9), None);
        for t in SensorType::ALL {
            assert_eq!(SensorType::from_number(t.number()), Some(*t));
        }
    }
}
