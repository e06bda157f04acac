// The program dist makes the files of a release from a clone of gatehouse:
//
//   - an archive for each platform, with the two programs, completions, man pages and
//     licenses
//   - an image with the programs for linux, as an OCI archive of two platforms
//   - a manifest for krew and a formula for Homebrew, which name the archives
//   - an SBOM (CycloneDX) and SHA256SUMS
//
// Two runs of the same commit by the same version of Go write the same bytes: files have
// the time of the commit, and programs no paths. The version is what the go command makes
// of the tags of git.
package main
