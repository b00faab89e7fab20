//! Settings for viewers (`mjVisual`): read from MJCF, kept in the model, never used by the physics.
//!
//! Numbers are `f32`, as in MuJoCo. Lengths are relative to the model where the field says so.

/// Declares a group of settings together with MuJoCo's defaults.
macro_rules! settings {
    ($(#[$doc:meta])* $name:ident { $($(#[$fdoc:meta])* $field:ident: $type:ty = $value:expr,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $name { $($(#[$fdoc])* pub $field: $type,)* }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $value,)* }
            }
        }
    };
}

/// Everything a viewer may want to know that is not physics.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "mjVisual")]
pub struct Visual {
    /// Free camera and window.
    pub global: VisualGlobal,
    /// Rendering quality.
    pub quality: VisualQuality,
    /// The light that moves with the camera.
    pub headlight: VisualHeadlight,
    /// How physical quantities map to what is drawn.
    pub map: VisualMap,
    /// Sizes of decorations, relative to the mean body size.
    pub scale: VisualScale,
    /// Colours of decorations.
    pub rgba: VisualRgba,
}

settings! {
    /// Free camera and window (`visual/global`).
    VisualGlobal {
        /// Camera shown first; −1 is the free camera.
        cameraid: i32 = -1,
        /// Whether the free camera is orthographic.
        orthographic: bool = false,
        /// Vertical field of view of the free camera in degrees, or its height when orthographic.
        fovy: f32 = 45.0,
        /// Distance between the eyes of the free camera.
        ipd: f32 = 0.068,
        /// First azimuth of the free camera, degrees.
        azimuth: f32 = 90.0,
        /// First elevation of the free camera, degrees.
        elevation: f32 = -45.0,
        /// Line width of wireframes and rays.
        linewidth: f32 = 1.0,
        /// Glow of the selected body.
        glow: f32 = 0.3,
        /// First real-time factor; 1 is real time.
        realtime: f32 = 1.0,
        /// Width of the offscreen buffer, pixels.
        offwidth: i32 = 640,
        /// Height of the offscreen buffer, pixels.
        offheight: i32 = 480,
        /// Whether inertias are drawn as ellipsoids (else boxes).
        ellipsoidinertia: bool = false,
        /// Whether active bounding volumes are drawn.
        bvactive: bool = true,
    }
}

settings! {
    /// Rendering quality (`visual/quality`).
    VisualQuality {
        /// Edge of the shadow map, pixels.
        shadowsize: i32 = 4096,
        /// Samples per pixel of the offscreen buffer.
        offsamples: i32 = 4,
        /// Slices of round shapes.
        numslices: i32 = 28,
        /// Stacks of round shapes.
        numstacks: i32 = 16,
        /// Quads per box face.
        numquads: i32 = 4,
    }
}

settings! {
    /// The light that moves with the camera (`visual/headlight`).
    VisualHeadlight {
        /// Ambient colour.
        ambient: [f32; 3] = [0.1; 3],
        /// Diffuse colour.
        diffuse: [f32; 3] = [0.4; 3],
        /// Specular colour.
        specular: [f32; 3] = [0.5; 3],
        /// Whether it is on; any number but zero means yes.
        active: i32 = 1,
    }
}

settings! {
    /// How physical quantities map to what is drawn (`visual/map`).
    VisualMap {
        /// Stiffness of a mouse pull, translation.
        stiffness: f32 = 100.0,
        /// Stiffness of a mouse pull, rotation.
        stiffnessrot: f32 = 500.0,
        /// Length per unit of force.
        force: f32 = 0.005,
        /// Length per unit of torque.
        torque: f32 = 0.1,
        /// Alpha of geoms when transparency is on.
        alpha: f32 = 0.3,
        /// Start of fog, in model extents.
        fogstart: f32 = 3.0,
        /// End of fog, in model extents.
        fogend: f32 = 10.0,
        /// Near clipping plane, in model extents; must be positive.
        znear: f32 = 0.01,
        /// Far clipping plane, in model extents.
        zfar: f32 = 50.0,
        /// Share of haze at the horizon.
        haze: f32 = 0.3,
        /// Half-width of shadows of directional lights, in model extents.
        shadowclip: f32 = 1.0,
        /// Share of a spot light's cutoff that casts shadows.
        shadowscale: f32 = 0.6,
        /// Widening of tendons that an actuator pulls.
        actuatortendon: f32 = 2.0,
    }
}

settings! {
    /// Sizes of decorations, relative to the mean body size (`visual/scale`).
    VisualScale {
        /// Width of force arrows.
        forcewidth: f32 = 0.1,
        /// Width of contact discs.
        contactwidth: f32 = 0.3,
        /// Height of contact discs.
        contactheight: f32 = 0.1,
        /// Width of the capsules that join bodies.
        connect: f32 = 0.2,
        /// Radius of centres of mass.
        com: f32 = 0.4,
        /// Size of cameras.
        camera: f32 = 0.3,
        /// Size of lights.
        light: f32 = 0.3,
        /// Radius of the selected point.
        selectpoint: f32 = 0.2,
        /// Length of joint axes.
        jointlength: f32 = 1.0,
        /// Width of joint axes.
        jointwidth: f32 = 0.1,
        /// Length of actuators.
        actuatorlength: f32 = 0.7,
        /// Width of actuators.
        actuatorwidth: f32 = 0.2,
        /// Length of frame axes.
        framelength: f32 = 1.0,
        /// Width of frame axes.
        framewidth: f32 = 0.1,
        /// Width of constraint lines.
        constraint: f32 = 0.1,
        /// Width of slider-cranks.
        slidercrank: f32 = 0.2,
        /// Depth of camera frustums.
        frustum: f32 = 10.0,
    }
}

settings! {
    /// Colours of decorations (`visual/rgba`).
    VisualRgba {
        /// Fog.
        fog: [f32; 4] = [0.0, 0.0, 0.0, 1.0],
        /// Haze at the horizon.
        haze: [f32; 4] = [1.0, 1.0, 1.0, 1.0],
        /// External forces.
        force: [f32; 4] = [1.0, 0.5, 0.5, 1.0],
        /// Equivalent inertias.
        inertia: [f32; 4] = [0.8, 0.2, 0.2, 0.6],
        /// Joints.
        joint: [f32; 4] = [0.2, 0.6, 0.8, 1.0],
        /// Actuators at rest.
        actuator: [f32; 4] = [0.2, 0.25, 0.2, 1.0],
        /// Actuators at their lower limit.
        actuatornegative: [f32; 4] = [0.2, 0.6, 0.9, 1.0],
        /// Actuators at their upper limit.
        actuatorpositive: [f32; 4] = [0.9, 0.4, 0.2, 1.0],
        /// Centres of mass.
        com: [f32; 4] = [0.9, 0.9, 0.9, 1.0],
        /// Cameras.
        camera: [f32; 4] = [0.6, 0.9, 0.6, 1.0],
        /// Lights.
        light: [f32; 4] = [0.6, 0.6, 0.9, 1.0],
        /// The selected point.
        selectpoint: [f32; 4] = [0.9, 0.9, 0.1, 1.0],
        /// Capsules that join bodies.
        connect: [f32; 4] = [0.2, 0.2, 0.8, 1.0],
        /// Contact points.
        contactpoint: [f32; 4] = [0.9, 0.6, 0.2, 1.0],
        /// Contact forces.
        contactforce: [f32; 4] = [0.7, 0.9, 0.9, 1.0],
        /// Friction forces of contacts.
        contactfriction: [f32; 4] = [0.9, 0.8, 0.4, 1.0],
        /// Torques of contacts.
        contacttorque: [f32; 4] = [0.9, 0.7, 0.9, 1.0],
        /// Contact points inside the gap.
        contactgap: [f32; 4] = [0.5, 0.8, 0.9, 1.0],
        /// Rangefinder rays.
        rangefinder: [f32; 4] = [1.0, 1.0, 0.1, 1.0],
        /// Constraint lines.
        constraint: [f32; 4] = [0.9, 0.0, 0.0, 1.0],
        /// Slider-cranks.
        slidercrank: [f32; 4] = [0.5, 0.3, 0.8, 1.0],
        /// Slider-cranks that cannot close.
        crankbroken: [f32; 4] = [0.9, 0.0, 0.0, 1.0],
        /// Camera frustums.
        frustum: [f32; 4] = [1.0, 1.0, 0.0, 0.2],
        /// Bounding volumes.
        bv: [f32; 4] = [0.0, 1.0, 0.0, 0.5],
        /// Active bounding volumes.
        bvactive: [f32; 4] = [1.0, 0.0, 0.0, 0.5],
    }
}
