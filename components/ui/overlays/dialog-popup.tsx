import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { cn } from '#lib/class-names/cn.ts';
import { IconButton } from '../buttons/icon-button.tsx';

/** An element, or a function that finds one at the moment it is needed. */
export type FocusTarget = RefObject<HTMLElement | null> | (() => HTMLElement | null);

export type DialogProps = {
  open: boolean;
  /** Called on X, Escape or a press outside. The dialog stays open until `open` is false. */
  onClose: (how: 'escape' | 'button' | 'outside') => void;
  title: ReactNode;
  /** One sentence below the title. */
  sentence?: ReactNode;
  /** 440 px for a question, 520 px otherwise. */
  size?: 'normal' | 'narrow';
  /** `alertdialog` for a question that must be answered. */
  role?: 'dialog' | 'alertdialog';
  ignoresOutsidePress?: boolean;
  /** True while an action is running: nothing closes the dialog, and X is hidden. */
  isLocked?: boolean;
  hasCloseButton?: boolean;
  /** The element that has the focus at first. By default, the first control. */
  initialFocus?: FocusTarget | undefined;
  /** Where the focus returns to. Needed if the dialog was opened from a menu or by code. */
  finalFocus?: FocusTarget | undefined;
  /** Buttons, the main one last. */
  footer?: ReactNode;
  children?: ReactNode;
  className?: string;
};

/** A modal dialog: centered, on a phone a sheet from below. */
export function DialogPopup({
  open,
  onClose,
  title,
  sentence,
  size = 'normal',
  role = 'dialog',
  ignoresOutsidePress = false,
  isLocked = false,
  hasCloseButton = true,
  initialFocus,
  finalFocus,
  footer,
  children,
  className,
}: DialogProps) {
  const isAlert = role === 'alertdialog';
  const Root = isAlert ? AlertDialog.Root : Base.Root;

  function onOpenChange(next: boolean, details: Base.Root.ChangeEventDetails) {
    if (next) return;
    // The dialog stays open until the parent changes `open`.
    details.cancel();
    if (isLocked) return;
    if (details.reason === 'escape-key') onClose('escape');
    else if (details.reason === 'outside-press') onClose('outside');
    else onClose('button');
  }

  return (
    <Root
      open={open}
      onOpenChange={onOpenChange}
      {...(isAlert ? {} : { disablePointerDismissal: ignoresOutsidePress })}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-(--z-dialog) bg-scrim transition-opacity duration-(--slow) data-ending-style:opacity-0 data-starting-style:opacity-0 print:hidden" />
        {/* Its space above and below is no padding, over which the footer could not stay in view. */}
        <Base.Viewport
          className={cn(
            'fixed inset-0 z-(--z-dialog) flex flex-col overflow-y-auto overscroll-contain px-6 max-sm:px-0',
            'before:h-6 before:shrink-0 after:h-6 after:shrink-0 max-sm:before:hidden max-sm:after:hidden',
            // Keeps a focused field above the footer.
            footer !== undefined && '[@media(min-height:30rem)]:scroll-pb-20',
          )}
        >
          <Base.Popup
            initialFocus={initialFocus ?? true}
            finalFocus={finalFocus ?? true}
            className={cn(
              'relative m-auto w-full rounded-5 bg-overlay shadow-dialog outline-none',
              'transition-[opacity,scale,translate] duration-(--slow) ease-(--ease) data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0',
              'max-sm:mx-0 max-sm:mt-auto max-sm:mb-0 max-sm:max-w-none max-sm:rounded-b-none max-sm:data-starting-style:translate-y-6 max-sm:data-starting-style:scale-100',
              // Dims this dialog while a second one is open above it.
              'after:pointer-events-none after:absolute after:inset-0 after:rounded-[inherit] after:bg-scrim after:opacity-0 after:transition-opacity after:duration-(--slow) data-nested-dialog-open:after:opacity-100',
              size === 'narrow' ? 'max-w-110' : 'max-w-130',
              footer === undefined && 'max-sm:pb-[env(safe-area-inset-bottom)]',
              className,
            )}
          >
            <header
              className={cn(
                'pt-5.5 pl-6 max-sm:pt-5 max-sm:pl-4',
                hasCloseButton ? 'pr-14' : 'pr-6 max-sm:pr-4',
              )}
            >
              <Base.Title className="text-heading text-balance wrap-anywhere text-ink">
                {title}
              </Base.Title>
              {sentence !== undefined && (
                <Base.Description render={<div />} className="mt-1 text-pretty text-ink-2">
                  {sentence}
                </Base.Description>
              )}
            </header>
            {children !== undefined && (
              <div className="grid grid-cols-[minmax(0,1fr)] gap-5 px-6 pt-5 pb-6 max-sm:gap-4 max-sm:px-4 max-sm:pt-4 max-sm:pb-5">
                {children}
              </div>
            )}
            {footer !== undefined && (
              <footer
                className={cn(
                  'flex items-center justify-end gap-2 rounded-b-5 bg-overlay px-6 max-sm:flex-wrap max-sm:rounded-b-none max-sm:px-4 max-sm:pb-[max(1.25rem,env(safe-area-inset-bottom))] max-sm:[&>button]:flex-1',
                  // Stays in view while a long dialog scrolls, unless the window is too low for that.
                  '[@media(min-height:30rem)]:sticky [@media(min-height:30rem)]:bottom-0',
                  children === undefined
                    ? 'pt-6 pb-5 max-sm:pt-5'
                    : 'border-t border-line py-3.5 max-sm:pt-3',
                )}
              >
                {footer}
              </footer>
            )}
            {/* Last in the DOM, so that the content has the focus at first. */}
            {hasCloseButton && !isLocked && (
              <Base.Close
                render={
                  <IconButton
                    label="Close"
                    icon={<X />}
                    className="absolute top-4 right-4 max-sm:top-2 max-sm:right-1.5"
                  />
                }
              />
            )}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Root>
  );
}
