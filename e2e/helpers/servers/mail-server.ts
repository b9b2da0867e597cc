import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** A mail server that refuses addresses for good, and stores the emails to others. */
export async function startMailServer(): Promise<{
  /** For SMTP_URL. */
  url: string;
  refused: Set<string>;
  received: readonly { to: string; source: string }[];
  close(): void;
}> {
  const refused = new Set<string>();
  const received: { to: string; source: string }[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    const say = (line: string) => socket.write(`${line}\r\n`);
    let [to, source, isData] = ['', '', false];
    say('220 mail.test');
    createInterface({ input: socket }).on('line', (line) => {
      if (isData && line !== '.') source += `${line}\n`;
      else if (isData) {
        received.push({ to, source });
        [source, isData] = ['', false];
        say('250 taken');
      } else if (line.startsWith('RCPT')) {
        to = /<(.*)>/.exec(line)?.[1] ?? '';
        say(refused.has(to) ? '550 Mailbox unavailable' : '250 ok');
      } else if (line === 'DATA') {
        isData = true;
        say('354 go on');
      } else say('250 ok');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    refused,
    received,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
