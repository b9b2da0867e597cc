/** Why the person gets the email, and where they choose which emails they get. */
export type FooterLine = { text: string; link?: { label: string; url: string } };

/** The parts of both versions of an email. Every value is on one line. */
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
