import { notFound } from 'next/navigation';

/** Any other address under settings: not found, but inside the frame a person knows. */
export default function MissingSettingsPage() {
  notFound();
}
