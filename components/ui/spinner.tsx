import { LoaderCircle } from 'lucide-react';

/** Stands in a button's icon slot. Without motion it is a still ring beside an unchanged label. */
export function Spinner() {
  return <LoaderCircle aria-hidden className="motion-safe:animate-spin" />;
}
