import { notFound } from 'next/navigation';

/** Any other path of an account: shows "not found" inside the account's frame. */
export default function MissingAccountPage() {
  notFound();
}
