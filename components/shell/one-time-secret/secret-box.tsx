import { Check, Copy, Download } from 'lucide-react';
import { type RefObject, useId, useRef } from 'react';
import { IconButton } from '#components/ui/buttons/icon-button.tsx';
import { copySelected, useCopy } from '#components/ui/buttons/use-copy.ts';
import { cn } from '#lib/class-names/cn.ts';
import { downloadText } from './download-text.ts';
import { recorderAttributes, recorderClass } from './secret-attributes.ts';
import { SecretText } from './secret-text.tsx';

type SecretBoxProps = {
  kind: 'token' | 'signing secret';
  subject: string;
  value: string;
  envName: string;
  copyButton: RefObject<HTMLButtonElement | null>;
  /** For the dialog's live region. */
  onAnnounce: (text: string) => void;
};

/** The secret, with buttons to copy it or a line of an .env file, and to download that file. */
export function SecretBox({
  kind,
  subject,
  value,
  envName,
  copyButton,
  onAnnounce,
}: SecretBoxProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const secretCopy = useCopy();
  const lineCopy = useCopy();
  const label = kind === 'token' ? 'Token' : 'Signing secret';
  const envLine = `${envName}=${value}`;
  const columns = Math.ceil(value.length / 2);

  async function copySecret() {
    const isCopied = await secretCopy.copy(value);
    if (isCopied) lineCopy.reset();
    else selectSecret();
    onAnnounce(isCopied ? `${label} copied.` : copySelected);
  }

  async function copyLine() {
    const isCopied = await lineCopy.copy(envLine);
    if (isCopied) secretCopy.reset();
    else selectSecret();
    onAnnounce(isCopied ? '.env line copied.' : copySelected);
  }

  function selectSecret() {
    field.current?.focus();
    field.current?.select();
  }

  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-small font-medium">
        {label}
      </label>
      <div
        {...recorderAttributes}
        className={cn('rounded-3 border border-line-strong bg-sunken', recorderClass)}
      >
        <SecretText
          id={id}
          value={value}
          field={field}
          copyButton={copyButton}
          copyState={secretCopy.state}
          onCopy={() => void copySecret()}
          columns={columns}
          className="text-secret max-[22.5rem]:text-[1.03125rem]"
        />
        <div className="flex items-center gap-0.5 border-t border-line py-1.5 pr-1.5 pl-4 max-sm:pl-3.5">
          <code translate="no" className="min-w-0 flex-1 truncate font-mono text-code text-ink-2">
            {envLine}
          </code>
          <IconButton
            label="Copy as .env line"
            icon={lineCopy.state === 'copied' ? <Check className="text-ok-mark" /> : <Copy />}
            hasSmallIcon
            onClick={() => void copyLine()}
          />
          <IconButton
            label="Download .env file"
            icon={<Download />}
            hasSmallIcon
            onClick={() => {
              downloadText(`${fileName(subject)}.env`, `${envLine}\n`);
              onAnnounce('.env file downloaded.');
            }}
          />
        </div>
      </div>
    </div>
  );
}

/** Browsers refuse or rename files that begin with a dot, so the object's name comes first. */
function fileName(subject: string): string {
  const slug = subject
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return slug === '' ? 'secret' : slug;
}
