/** The last lines: why somebody gets the email, and where they choose which ones. */
export type FooterLine = { text: string; link?: { label: string; url: string } };

/** What both versions of an email are made of: every value is on one line. */
export type MailBody = {
  product: string;
  heading: string;
  greeting: string | null;
  paragraphs: string[];
  facts: { label: string; value: string }[];
  action: { label: string; url: string };
  closing: string[];
  footer: FooterLine[];
};
