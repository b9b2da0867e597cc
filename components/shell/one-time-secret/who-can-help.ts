type Recipient = { id: string | null; name: string };

/** Whom a person asks about a token or secret that they can do nothing about. */
export function whoCanHelp(shownTo: Recipient, personId: string): string {
  const recipient = shownTo.id === personId ? '' : `${shownTo.name}, `;
  return `Ask ${recipient}an owner or an admin.`;
}
