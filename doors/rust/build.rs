// Where libtakt_c.so is, if not where the linker looks anyway.
fn main() {
    println!("cargo:rerun-if-env-changed=TAKT_C_FOLDER");
    println!("cargo:rustc-link-lib=dylib=takt_c");
    if let Ok(folder) = std::env::var("TAKT_C_FOLDER") {
        println!("cargo:rustc-link-search=native={folder}");
    }
}
