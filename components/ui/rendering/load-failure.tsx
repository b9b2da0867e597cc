import { createPortal } from 'react-dom';

type LoadFailureProps = {
  /** Whether trying again has not helped so far: after an upgrade only reloading the page does. */
  isLasting: boolean;
  onTryNow: () => void;
};

/** Shows that a part of the page could not be loaded, and lets the person try again. */
export function LoadFailure({ isLasting, onTryNow }: LoadFailureProps) {
  return createPortal(
    <div
      role="alert"
      className="fixed inset-x-4 bottom-4 z-(--z-notice) flex items-center gap-4 rounded-3 bg-overlay px-3.5 py-2.5 shadow-menu sm:left-auto print:hidden"
    >
      <p className="min-w-0 flex-1">
        A part of the page could not be loaded.{' '}
        {isLasting ? 'Copy what you typed, then reload the page.' : 'Trying again…'}
      </p>
      {isLasting ? (
        <button type="button" className="link" onClick={() => window.location.reload()}>
          Reload page
        </button>
      ) : (
        <button type="button" className="link" onClick={onTryNow}>
          Try now
        </button>
      )}
    </div>,
    document.body,
  );
}
