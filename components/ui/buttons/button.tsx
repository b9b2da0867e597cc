import {
  type ComponentProps,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { cn } from '#lib/class-names/cn.ts';
import { Hint, useHint } from '../feedback/hint.tsx';
import { Spinner } from '../feedback/spinner.tsx';
import { buttonClass, type ButtonLook } from './button-class.ts';

export type ButtonProps = Omit<ComponentProps<'button'>, 'disabled' | 'aria-disabled'> &
  ButtonLook & {
    /** Before the label. While pending, the spinner replaces it. */
    icon?: ReactNode;
    /** The action is running: the label stays, and presses do nothing. */
    pending?: boolean | undefined;
    /** Why the button is disabled: shown on hover, focus or press, so it stays focusable. */
    disabledReason?: string | undefined;
    /** The press removes the button: the focus then moves to the dialog or the page's title. */
    focusesTitleOnRemoval?: boolean;
  };

/** Never gets the `disabled` attribute, which would drop the focus and explain nothing. */
export function Button({
  icon,
  pending = false,
  disabledReason,
  focusesTitleOnRemoval = false,
  variant,
  size,
  block,
  className,
  children,
  onClick,
  ref,
  type = 'button',
  ...rest
}: ButtonProps) {
  const own = useRef<HTMLButtonElement>(null);
  const reasonId = useId();
  const hint = useHint();
  // On focus, a screen reader reads the description of the button.
  const [isSpoken, setIsSpoken] = useState(false);
  useFocusAfterRemoval(own, focusesTitleOnRemoval);

  function press(event: MouseEvent<HTMLButtonElement>) {
    if (pending || disabledReason !== undefined) {
      // Also keeps a submit button from submitting its form.
      event.preventDefault();
      if (disabledReason !== undefined) {
        setIsSpoken(true);
        hint.show();
      }
      return;
    }
    onClick?.(event);
  }

  return (
    <>
      <button
        {...rest}
        {...(disabledReason !== undefined && hint.onControl)}
        ref={(node) => {
          own.current = node;
          if (typeof ref === 'function') ref(node);
          else if (ref) ref.current = node;
        }}
        type={type}
        aria-busy={pending || undefined}
        aria-disabled={disabledReason !== undefined || undefined}
        aria-describedby={
          cn(rest['aria-describedby'], disabledReason !== undefined && reasonId) || undefined
        }
        className={cn(buttonClass({ variant, size, block }), className)}
        onClick={press}
      >
        {pending ? <Spinner /> : icon}
        <span className="flex min-w-0 items-center gap-1.5">{children}</span>
      </button>
      {disabledReason !== undefined && (
        <span id={reasonId} hidden>
          {disabledReason}
        </span>
      )}
      <Hint
        anchor={own}
        open={hint.open && disabledReason !== undefined}
        isSpoken={isSpoken}
        onClose={() => {
          setIsSpoken(false);
          hint.hide();
        }}
      >
        {disabledReason}
      </Hint>
    </>
  );
}

/**
 * Moves the focus to the dialog around it, or to the page's title, when the component goes and its
 * control still has the focus. Otherwise the focus would silently move to the body.
 */
function useFocusAfterRemoval(control: RefObject<HTMLElement | null>, isEnabled: boolean): void {
  useLayoutEffect(() => {
    if (!isEnabled) return undefined;
    const element = control.current;
    // Runs before the element leaves the page.
    return () => {
      if (element !== null && document.activeElement === element) {
        const dialog = element.closest<HTMLElement>('[role=dialog],[role=alertdialog]');
        (dialog ?? document.querySelector<HTMLElement>('h1'))?.focus();
      }
    };
  }, [control, isEnabled]);
}
