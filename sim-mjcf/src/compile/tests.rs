//! Whole models built in code, against closed forms and against numbers printed by MuJoCo 3.5.0.
