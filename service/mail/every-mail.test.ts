import { describe, expect, test } from 'vitest';
import { loadConfig } from '../config/load-config.ts';
import { redactTokens } from '../log/redact.ts';
import { everyMail } from '../testing/mails/every-mail.ts';
import { mailKindOf, mailKinds } from './mail-kinds.ts';

const config = loadConfig({ PUBLIC_URL: 'https://keys.example.com' });

/** The link in the last lines, to the page where a person chooses which emails they get. */
const choices = 'https://keys.example.com/settings/profile#notifications';

/** A name that tries to be more than text, in every way that an email offers. */
const hostileName = [
  `</td></p><script src="https://evil.example/x.js"></script>'"><a href='https://evil.example'>`,
  'Bcc: eve@evil.example',
  '',
  'https://evil.example/login sk_live_4f2a4f2a whsec_4f2a4f2a &lt;b&gt; \u202egnp.exe\u0007',
].join('\r\n');

const mails = everyMail(config, hostileName);

test('this suite checks every kind of mail', () => {
  expect(new Set(mails.map(({ kind }) => kind))).toEqual(new Set(Object.keys(mailKinds)));
});

describe.each(mails.map((mail) => [mail.kind, mail] as const))('the email %s', (_kind, mail) => {
  const { subject, text, html, action } = mail;

  test('has the same content as plain text and as HTML', () => {
    for (const part of text.replace(/\n-- \n[^]*/, '').split(/\n+/)) {
      // A label and its value are two cells.
      for (const words of part.split(/(?<=^[A-Z][A-Za-z -]{1,20}): /)) {
        if (words.startsWith('https://keys.example.com/')) expect(html).toContain(escaped(words));
        else expect(html).toContain(escaped(words.replace(/:$/, '')));
      }
    }
    expect(html).toContain(`<title>${escaped(subject)}</title>`);
  });

  test('has one link to its action, and no other links but those of its last lines', () => {
    expect(action.url).toMatch(/^https:\/\/keys\.example\.com\//);
    const { isToStranger } = mailKindOf(mail.kind);
    const links = [action.url, ...(isToStranger ? [] : [choices])];
    expect([...html.matchAll(/ href="([^"]*)"/g)].map(([, url]) => url)).toEqual(links);
    expect(html.match(/<a /g)).toHaveLength(links.length);
    expect(text.match(/[a-z]+:\/\/\S+/g)).toEqual(links);
    // Nothing is fetched, so that nobody learns that the email was opened.
    expect(html).not.toMatch(
      /<(img|link|script|iframe|object|form|input|svg|[^>]+\ssrc=)|url\(|@import/i,
    );
  });

  test('has the link that the table of emails lists', () => {
    const said = mailKinds[mail.kind].link.replaceAll(/\{\w+\}/g, '[^/]+');
    expect(new URL(action.url).pathname).toMatch(new RegExp(`^${said}$`));
  });

  test('shows names that people chose as plain text', () => {
    expect(html.match(/<script|<a href='|evil\.example|<b>/g)).toBeNull();
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(html.match(/<title>/g)).toHaveLength(1);
    expect(text).not.toMatch(/^Bcc:/m);
  });

  test('has a subject on one line that a list of emails can show, without hidden characters', () => {
    expect(subject.length).toBeLessThanOrEqual(150);
    expect(subject).toMatch(/^[A-Z][^\r\n]+$/);
    // oxlint-disable-next-line no-control-regex -- what must not be there
    const hidden = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
    expect(subject + text).not.toMatch(hidden);
  });

  test('contains no token and no signing secret', () => {
    for (const part of [subject, text, html]) expect(redactTokens(part)).toBe(part);
  });

  test('ends with the reason why the person gets it', () => {
    expect(text).toMatch(/\n-- \nYou get this email because .+\.\n/);
    const isOffered = text.includes(`\nChoose which emails you get: ${choices}\n`);
    expect(isOffered).toBe(mailKindOf(mail.kind).preference !== null);
    expect(html).toContain(escaped(mailKinds[mail.kind].because));
  });
});

function escaped(words: string): string {
  return words
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
