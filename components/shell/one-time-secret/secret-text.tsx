import { Check, Copy } from 'lucide-react';
import type { RefObject } from 'react';
import { Button } from '#components/ui/buttons/button.tsx';
import type { CopyState } from '#components/ui/buttons/use-copy.ts';
import { cn } from '#lib/class-names/cn.ts';
import { noAutofillAttributes } from './secret-attributes.ts';

type SecretTextProps = {
  id: string;
  value: string;
  field: RefObject<HTMLTextAreaElement | null>;
  copyButton: RefObject<HTMLButtonElement | null>;
  copyState: CopyState;
  onCopy: () => void;
  /** The width of the field in characters; a longer value wraps. */
  columns: number;
  /** For the letters of the value. */
  className: string;
};

/** A secret in a field that cannot be changed, with the button that copies it. */
export function SecretText(props: SecretTextProps) {
  const { id, value, field, copyButton, copyState, onCopy, columns, className } = props;
  return (
    <div className="flex items-center gap-4 px-4 py-3.5 max-sm:flex-col max-sm:items-stretch max-sm:gap-3 max-sm:px-3.5 max-sm:pb-3">
      <textarea
        {...noAutofillAttributes}
        ref={field}
        id={id}
        readOnly
        rows={2}
        value={value}
        onFocus={(event) => event.currentTarget.select()}
        style={{ width: `calc(${columns}ch + 2px)` }}
        className={cn(
          'block max-w-full min-w-0 resize-none [field-sizing:content] overflow-auto rounded-1 bg-transparent font-mono [font-variant-ligatures:none] break-all text-ink outline-offset-4',
          className,
        )}
      />
      <Button
        ref={copyButton}
        className="ml-auto min-w-23 max-sm:ml-0 max-sm:w-full"
        icon={copyState === 'copied' ? <Check className="text-ok-mark!" /> : <Copy />}
        onClick={onCopy}
      >
        {copyState === 'copied' ? 'Copied' : 'Copy'}
      </Button>
    </div>
  );
}
