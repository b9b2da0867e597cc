/** The first stop of the Tab key, unseen until then. */
export function SkipLink() {
  return (
    <a
      href="#main"
      className="fixed top-3 left-3 z-(--z-toast) -translate-y-24 rounded-3 bg-overlay px-3 py-2 font-medium text-ink no-underline shadow-menu focus:translate-y-0 print:hidden"
    >
      Skip to content
    </a>
  );
}
