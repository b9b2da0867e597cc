/** The email address of the person who gives a password, as a field that cannot be changed. */
export function FixedEmail({ email }: { email: string }) {
  return (
    <>
      <div className="grid gap-0.5">
        <span className="text-small font-medium">Email</span>
        <span className="text-ink-2 wrap-anywhere">{email}</span>
      </div>
      {/* Tells a password manager whose password it is. */}
      <input hidden readOnly name="email" autoComplete="username" value={email} />
    </>
  );
}
