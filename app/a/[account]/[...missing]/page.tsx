import { notFound } from 'next/navigation';

/** Any other address of an account: not found, but inside the frame a person knows. */
export default function MissingAccountPage() {
  notFound();
}
