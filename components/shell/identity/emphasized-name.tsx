import { Fragment } from 'react';

/**
 * An email address or a person's name within a sentence. An address that is too long for its line
 * is broken after the at sign or before a dot, and elsewhere only if that is not enough.
 */
export function EmphasizedName({ children }: { children: string }) {
  return (
    <strong className="font-medium wrap-anywhere text-ink">
      {children.split(/(?<=@)|(?<=@.+)(?=\.)/).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </strong>
  );
}
