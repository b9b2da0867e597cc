import type { Metadata, Viewport } from 'next';
import { cookies, headers } from 'next/headers';
import type { ReactNode } from 'react';
import { ServiceWorkerRegistration } from '#components/shell/retry/service-worker-registration.tsx';
import { AppRoot } from '#components/ui/rendering/app-root.tsx';
import { replayEarlyClick } from '#components/ui/rendering/replay-early-click.ts';
import { retryAssets } from '#components/ui/rendering/retry-assets.ts';
import { parseTheme, themeCookie } from '#lib/cookies/theme-cookie.ts';
import './globals.css';
import { PreloadedFonts } from './preloaded-fonts.tsx';
import { Providers } from './providers.tsx';

export const metadata: Metadata = {
  description: 'API keys and webhooks of your account.',
  robots: { index: false, follow: false },
  // Phones would otherwise turn last-four strings and durations into links.
  formatDetection: { telephone: false, date: false, address: false, email: false },
};

export const viewport: Viewport = {
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f7f6f4' },
    { media: '(prefers-color-scheme: dark)', color: '#0d0d0b' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Reading the request also makes every page dynamic, without which no nonce reaches its scripts.
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  const theme = parseTheme((await cookies()).get(themeCookie)?.value);
  return (
    <html lang="en" data-theme={theme} suppressHydrationWarning>
      <head>
        <PreloadedFonts />
        <script nonce={nonce} suppressHydrationWarning>
          {retryAssets + replayEarlyClick}
        </script>
      </head>
      <body>
        <noscript>
          <style nonce={nonce}>{'[data-app-root] { display: none; }'}</style>
          <p className="p-6">
            This dashboard needs JavaScript. Turn it on in your browser’s settings, then reload the
            page.
          </p>
        </noscript>
        <Providers nonce={nonce}>
          <AppRoot>{children}</AppRoot>
        </Providers>
        <ServiceWorkerRegistration />
      </body>
    </html>
  );
}
