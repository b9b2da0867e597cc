import { LoaderCircle } from 'lucide-react';

/** Shown in place of a button's icon. It stands still if the person prefers reduced motion. */
export function Spinner() {
  return <LoaderCircle aria-hidden className="motion-safe:animate-spin" />;
}
