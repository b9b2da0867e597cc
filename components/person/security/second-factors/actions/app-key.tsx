import { encode } from 'uqr';

import {
  recorderAttributes,
  recorderClass,
} from '#components/shell/one-time-secret/secret-attributes.ts';
import { CopyButton } from '#components/ui/overlays/copy-button.tsx';
import { Skeleton } from '#components/ui/data-display/skeleton.tsx';
import { cn } from '#lib/class-names/cn.ts';

/** The key of an authenticator app, to scan or to type. @param uri the content of the QR code */
export function AppKey({ uri, value }: { uri: string; value: string }) {
  const groups = value.match(/.{1,4}/g) ?? [];
  return (
    <div
      {...recorderAttributes}
      className={cn(
        'grid grid-cols-[auto_minmax(0,1fr)] items-center gap-5 max-sm:grid-cols-1',
        recorderClass,
      )}
    >
      <QrCode text={uri} />
      <div className="min-w-0">
        <p className="text-pretty">
          <strong className="font-medium">Scan the code</strong> with your authenticator app, or
          enter this key in the app:
        </p>
        <p className="mt-2 flex items-start gap-1">
          <code translate="no" className="min-w-0 pt-1 font-mono text-code wrap-anywhere">
            {groups.join(' ')}
          </code>
          <CopyButton text={value} label="Copy key" />
        </p>
      </div>
    </div>
  );
}

/** Shown in place of the key and the field for the code while the key is being created. */
export function AppKeySkeleton() {
  return (
    <>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-5 max-sm:grid-cols-1">
        <span
          aria-hidden
          className="size-40 shrink-0 animate-reveal rounded-2 bg-fill-track max-sm:mx-auto forced-colors:bg-[GrayText]"
        />
        <p role="status" className="text-ink-2 max-sm:text-center">
          Preparing a code…
        </p>
      </div>
      <div aria-hidden>
        <Skeleton width={40} />
        <span className="mt-1.5 mb-2 block h-control animate-reveal rounded-3 bg-fill-track forced-colors:bg-[GrayText]" />
        <Skeleton width={280} />
      </div>
    </>
  );
}

/** Dark on light in both themes: many scanners read nothing else. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label="QR code of the key"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-40 shrink-0 rounded-2 border border-line max-sm:mx-auto"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
