/** The product's logo and name. */
export function Brand() {
  return (
    <span className="flex items-center gap-2.5 font-medium tracking-[-0.01em]">
      <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden>
        <rect x="1" y="3" width="13" height="6.5" rx="3.25" fill="currentColor" />
        <rect x="6" y="10.5" width="13" height="6.5" rx="3.25" className="fill-accent" />
      </svg>
      Conversation Service
    </span>
  );
}
