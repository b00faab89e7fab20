//! Cameras and lights.

use super::Orientation;
use crate::error::Location;
use sim_types::{CamLightMode, LightType, Projection, Quat, Vec3};

record! {
    /// A camera (`mjsCamera`). In the intrinsics a zero means "not given".
    #[doc(alias = "mjsCamera")]
    Camera {
        /// Name; empty if it has none.
        name: String = String::new(),
        /// Body it is fixed to.
        body: usize = 0,
        /// Frame of that body it stands in.
        frame: Option<usize> = None,
        /// Default class.
        class: usize = 0,
        /// How it follows its body or target.
        mode: CamLightMode = CamLightMode::Fixed,
        /// Body it looks at; empty for none.
        target: String = String::new(),
        /// Position in the body.
        pos: Vec3 = Vec3::zeros(),
        /// Orientation in the body, used when `alt` is absent.
        quat: Quat = Quat::IDENTITY,
        /// Orientation in the body, given another way; beats `quat`.
        alt: Option<Orientation> = None,
        /// Perspective or orthographic.
        projection: Projection = Projection::Perspective,
        /// Resolution in pixels.
        resolution: [i32; 2] = [1, 1],
        /// Bits of the image types it delivers; 1 is colour.
        output: i32 = 1,
        /// Vertical field of view, always in degrees; the height when orthographic.
        fovy: f64 = 45.0,
        /// Distance between the eyes.
        ipd: f64 = 0.068,
        /// Size of the sensor, length.
        sensor_size: [f32; 2] = [0.0; 2],
        /// Focal length, length.
        focal_length: [f32; 2] = [0.0; 2],
        /// Focal length, pixels; beats `focal_length`.
        focal_pixel: [f32; 2] = [0.0; 2],
        /// Principal point, length.
        principal_length: [f32; 2] = [0.0; 2],
        /// Principal point, pixels; beats `principal_length`.
        principal_pixel: [f32; 2] = [0.0; 2],
        /// User numbers.
        user: Vec<f64> = Vec::new(),
        /// Whose compiler settings it is read with; see [`super::Spec::compiler_of`].
        origin: usize = 0,
        /// Where it was written.
        at: Location = Location::default(),
    }
}

record! {
    /// A light (`mjsLight`).
    #[doc(alias = "mjsLight")]
    Light {
        /// Name; empty if it has none.
        name: String = String::new(),
        /// Body it is fixed to.
        body: usize = 0,
        /// Frame of that body it stands in.
        frame: Option<usize> = None,
        /// Default class.
        class: usize = 0,
        /// How it follows its body or target.
        mode: CamLightMode = CamLightMode::Fixed,
        /// Body it shines at; empty for none.
        target: String = String::new(),
        /// Position in the body.
        pos: Vec3 = Vec3::zeros(),
        /// Direction in the body; need not have length 1.
        dir: Vec3 = Vec3::new(0.0, 0.0, -1.0),
        /// Whether it is on.
        active: bool = true,
        /// Kind of light.
        r#type: LightType = LightType::Spot,
        /// Texture of an image light; empty for none.
        texture: String = String::new(),
        /// Whether it casts shadows.
        castshadow: bool = true,
        /// Radius of the bulb, for soft shadows.
        bulbradius: f32 = 0.02,
        /// Intensity in candela.
        intensity: f32 = 0.0,
        /// Range of effect.
        range: f32 = 10.0,
        /// Attenuation: constant, linear, quadratic.
        attenuation: [f32; 3] = [1.0, 0.0, 0.0],
        /// Half-angle of a spot, degrees.
        cutoff: f32 = 45.0,
        /// How sharp a spot is.
        exponent: f32 = 10.0,
        /// Ambient colour.
        ambient: [f32; 3] = [0.0; 3],
        /// Diffuse colour.
        diffuse: [f32; 3] = [0.7; 3],
        /// Specular colour.
        specular: [f32; 3] = [0.3; 3],
        /// Where it was written.
        at: Location = Location::default(),
    }
}
