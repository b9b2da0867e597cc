import type { FooterLine, MailBody } from './mail-body.ts';

/** An email as plain text. Paragraphs are not wrapped, because email programs do that. */
export function toText(body: MailBody): string {
  const { greeting, paragraphs, facts, action, closing, footer } = body;
  const parts = [
    greeting,
    ...paragraphs,
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    `${action.label}:\n${action.url}`,
    ...closing,
    // Two dashes and a space begin a signature in email programs (RFC 3676, 4.3).
    ['-- ', ...footer.map(footerLine)].join('\n'),
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

function footerLine({ text, link }: FooterLine): string {
  return [text, link && `${link.label}: ${link.url}`].filter(Boolean).join(' ');
}
