//! One camera or light: pose in the body, intrinsics.

use super::pose::{EPS, Pose, normalize, normalized, orientation};
use super::tree::Camera;
use crate::spec::{Compiler, Light};
use sim_types::math::atan2f;
use std::f64::consts::PI;

/// Compiles a camera that stands in `frame`; `znear` is the near plane of viewers. The error says which rule it breaks.
#[doc(alias = "mjCCamera::Compile")]
pub(super) fn compile_camera(
    camera: &mut Camera,
    frame: Option<&Pose>,
    compiler: &Compiler,
    znear: f32,
) -> Result<(), String> {
    let s = &mut camera.spec;
    let mut pose = Pose::new(s.pos, orientation(s.quat, s.alt, compiler)?);
    if let Some(frame) = frame {
        pose = frame.compose(&pose);
    }
    (s.pos, s.quat) = (pose.pos, normalized(pose.quat));
    if s.fovy >= 180.0 {
        return Err("fovy must be smaller than 180 degrees".to_owned());
    }

    // intrinsics in pixels or lengths need a sensor to be measured on
    let given = [s.focal_length, s.focal_pixel, s.principal_length, s.principal_pixel];
    let has_sensor = s.sensor_size.iter().all(|x| *x > 0.0);
    if !has_sensor {
        if given.iter().flatten().any(|x| *x != 0.0) {
            return Err("focal and principal need sensorsize".to_owned());
        }
        camera.intrinsic = [znear, znear, 0.0, 0.0];
        return Ok(());
    }
    if s.resolution.iter().any(|n| *n <= 0) {
        return Err("sensorsize needs a positive resolution".to_owned());
    }

    // pixels beat lengths
    let value = |axis: usize, pixel: [f32; 2], length: [f32; 2]| {
        let density = s.resolution[axis] as f32 / s.sensor_size[axis];
        if pixel[axis] == 0.0 { length[axis] } else { pixel[axis] / density }
    };
    let focal = |axis| value(axis, s.focal_pixel, s.focal_length);
    let principal = |axis| value(axis, s.principal_pixel, s.principal_length);
    camera.intrinsic = [focal(0), focal(1), principal(0), principal(1)];
    s.fovy = f64::from(atan2f(s.sensor_size[1] / 2.0, camera.intrinsic[1])) * 360.0 / PI;
    Ok(())
}

/// Compiles a light that stands in `frame`; the error says which rule it breaks.
#[doc(alias = "mjCLight::Compile")]
pub(super) fn compile_light(light: &mut Light, frame: Option<&Pose>) -> Result<(), String> {
    if let Some(frame) = frame {
        light.pos = frame.apply(&light.pos);
        light.dir = frame.quat.rotate(&light.dir);
    }
    if normalize(light.dir.as_mut_slice()) < EPS {
        return Err("dir has no length".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec;

    fn run(spec: spec::Camera) -> Result<Camera, String> {
        let mut camera = Camera { spec, intrinsic: [0.0; 4] };
        compile_camera(&mut camera, None, &Compiler::default(), 0.01).map(|()| camera)
    }

    #[test]
    fn without_a_sensor_the_near_plane_is_the_focal_length() {
        let camera = run(spec::Camera::default()).unwrap();
        assert_eq!(camera.intrinsic, [0.01, 0.01, 0.0, 0.0]);
        assert_eq!(camera.spec.fovy, 45.0);
    }

    #[test]
    fn pixels_beat_lengths_and_set_the_field_of_view() {
        let sensor = spec::Camera { sensor_size: [2.0, 2.0], resolution: [200, 100], ..Default::default() };
        let focal = spec::Camera { focal_length: [3.0, 3.0], focal_pixel: [100.0, 50.0], ..sensor.clone() };
        let camera = run(focal).unwrap();
        assert_eq!(camera.intrinsic, [1.0, 1.0, 0.0, 0.0]);
        assert!((camera.spec.fovy - 90.0).abs() < 1e-5);
        assert!(run(spec::Camera { resolution: [0, 1], ..sensor.clone() }).is_err());
        assert!(run(spec::Camera { sensor_size: [0.0; 2], focal_length: [1.0; 2], ..sensor }).is_err());
        assert!(run(spec::Camera { fovy: 180.0, ..Default::default() }).is_err());
    }
}
