// The program site makes static pages of the documentation: every Markdown file of the
// repository becomes a page, and every file that a page links to goes with it. The pages need
// no network and no script. A link that leads nowhere is an error.
package main
