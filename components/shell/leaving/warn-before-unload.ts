/**
 * Makes the browser ask before a reload or the closing of the tab. Returns a function that ends
 * this.
 */
export function warnBeforeUnload(): () => void {
  const warn = (event: BeforeUnloadEvent) => event.preventDefault();
  window.addEventListener('beforeunload', warn);
  return () => window.removeEventListener('beforeunload', warn);
}
