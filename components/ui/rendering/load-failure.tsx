import { createPortal } from 'react-dom';

/** Says that a part of the page could not be loaded, and lets the person try again. */
export function LoadFailure({ onTryNow }: { onTryNow: () => void }) {
  return createPortal(
    <div
      role="alert"
      className="fixed inset-x-4 bottom-4 z-(--z-toast) flex items-center gap-4 rounded-3 bg-overlay px-3.5 py-2.5 shadow-menu sm:left-auto print:hidden"
    >
      <p className="min-w-0 flex-1">A part of the page could not be loaded. Trying again…</p>
      <button type="button" className="link" onClick={onTryNow}>
        Try now
      </button>
    </div>,
    document.body,
  );
}
