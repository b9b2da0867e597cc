type Option = { value: string; label: string; disabled?: boolean };

type Typing = {
  /** What was typed without a pause. */
  typed: string;
  value: string;
};

/**
 * The value of the option that typing chooses, as in a native select; null if there is none. One
 * letter, also if it is repeated, chooses the next option that starts with it. More letters keep the
 * chosen option if it starts with them.
 */
export function findTypedOption(
  options: readonly Option[],
  { typed, value }: Typing,
): string | null {
  const text = typed.toLowerCase();
  const first = text.charAt(0);
  const isOneLetter = text === first.repeat(text.length);
  const wanted = isOneLetter ? first : text;
  const chosen = options.findIndex((option) => option.value === value);
  const start = Math.max(isOneLetter ? chosen + 1 : chosen, 0);
  return (
    [...options.slice(start), ...options.slice(0, start)].find(
      ({ label, disabled = false }) => !disabled && label.toLowerCase().startsWith(wanted),
    )?.value ?? null
  );
}
