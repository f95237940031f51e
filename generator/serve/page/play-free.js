// A table without rules: the pieces of the box, to be moved as one likes.

export async function openFree() {
}
