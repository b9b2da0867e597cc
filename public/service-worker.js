// Responds in place of the browser's own error page while the service can't be reached, and does
// nothing else: it caches nothing and stores nothing. docs/decisions/0006 says why, and how to
// remove it.

const STATUSES_OF_PROXIES = [502, 503, 504];

/** Paths that are not pages of the dashboard. */
const NO_PAGE = /^\/(?:(?:api|healthz|readyz|metrics|_next)|(?:a\/[^/]*|support)\/data)(?:\/|$)/;

self.addEventListener('install', (event) => {
  // It has no state, so a new version can take over at any moment.
  self.skipWaiting();
  event.waitUntil(passBy(event));
});

self.addEventListener('activate', (event) => {
  // Lets the browser request the page while it starts the worker.
  event.waitUntil(Promise.resolve(self.registration.navigationPreload?.enable()));
});

self.addEventListener('fetch', (event) => {
  if (isForPage(event.request)) event.respondWith(loadPage(event));
});

/** Makes the browser send all other requests without the worker, and without starting it. */
async function passBy(event) {
  const conditions = [
    { requestMode: 'cors' },
    { requestMode: 'no-cors' },
    { requestMode: 'same-origin' },
    { requestMethod: 'POST' },
    { urlPattern: '/api/*' },
  ];
  try {
    await event.addRoutes?.(conditions.map((condition) => ({ condition, source: 'network' })));
  } catch {
    // A browser with other conditions for routes: `isForPage` decides the same.
  }
}

function isForPage({ method, mode, url }) {
  return method === 'GET' && mode === 'navigate' && !NO_PAGE.test(new URL(url).pathname);
}

async function loadPage({ request, preloadResponse }) {
  try {
    const response = (await preloadResponse) ?? (await fetch(request));
    return isFromProxy(response) ? waitingPage() : response;
  } catch {
    return waitingPage();
  }
}

/**
 * Whether a proxy says that the service behind it is unavailable. Only our own pages have a policy
 * with a nonce.
 */
function isFromProxy({ status, headers }) {
  const policy = headers.get('Content-Security-Policy') ?? '';
  return STATUSES_OF_PROXIES.includes(status) && !policy.includes("'nonce-");
}

function waitingPage() {
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return new Response(waitingPageHtml(nonce), {
    status: 503,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy.join('; '),
      'Cache-Control': 'no-store',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    },
  });
}

/**
 * The waiting page. Nothing else can be loaded then, so it contains all it needs; colors and sizes
 * are those of app/styles/tokens.css.
 */
function waitingPageHtml(nonce) {
  const icon =
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 20'%3E%3Crect x='1' y='3' width='13' height='6.5' rx='3.25' fill='%23777' /%3E%3Crect x='6' y='10.5' width='13' height='6.5' rx='3.25' fill='%2300809c' /%3E%3C/svg%3E";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>The service cannot be reached · Conversation Service</title>
<link rel="icon" href="${icon}">
<style nonce="${nonce}">
:root {
  color-scheme: light dark;
  --canvas: light-dark(oklch(0.995 0.001 95), oklch(0.178 0.003 95));
  --ink: light-dark(oklch(0.225 0.006 95), oklch(0.95 0.003 95));
  --ink-2: light-dark(oklch(0.405 0.007 95), oklch(0.785 0.004 95));
  --accent: light-dark(oklch(0.52 0.096 222), oklch(0.77 0.098 214));
  --accent-solid: light-dark(oklch(0.47 0.09 224), oklch(0.535 0.098 224));
  --accent-solid-hover: light-dark(oklch(0.42 0.082 225), oklch(0.5 0.094 224));
}
:root[data-theme='light'] { color-scheme: light; }
:root[data-theme='dark'] { color-scheme: dark; }
* { box-sizing: border-box; margin: 0; }
html { background: var(--canvas); color: var(--ink); }
body {
  display: grid;
  grid-template: auto 1fr 2.5rem / minmax(0, 1fr);
  min-height: 100dvh;
  padding: 1.5rem 1.75rem;
  font: 0.875rem/1.25rem ui-sans-serif, system-ui, sans-serif;
  font-variant-numeric: tabular-nums;
}
header { display: flex; align-items: center; gap: 0.625rem; font-weight: 500; }
header rect + rect { fill: var(--accent); }
main { width: 100%; max-width: 23.75rem; place-self: center; }
h1 { font-size: 1.375rem; line-height: 1.75rem; font-weight: 600; letter-spacing: -0.02em; }
p { margin-top: 0.25rem; color: var(--ink-2); text-wrap: pretty; }
button {
  height: 2rem;
  margin-top: 1.5rem;
  padding: 0 0.75rem;
  border: 1px solid transparent;
  border-radius: 8px;
  background: var(--accent-solid);
  color: #fff;
  font: inherit;
  font-weight: 500;
}
button:hover { background: var(--accent-solid-hover); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.spoken { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (width < 40rem) {
  body { padding: 1rem; }
  button { width: 100%; }
}
@media (width < 40rem), (pointer: coarse) {
  button { height: 2.75rem; }
}
</style>
</head>
<body>
<header>
<svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true"><rect x="1" y="3" width="13" height="6.5" rx="3.25" fill="currentColor" /><rect x="6" y="10.5" width="13" height="6.5" rx="3.25" /></svg>
Conversation Service
</header>
<main>
<h1>The service cannot be reached</h1>
<p id="countdown">Trying again…</p>
<p id="outlook">This page opens automatically once the service is back.</p>
<button type="button">Try now</button>
<p role="status" class="spoken"></p>
</main>
<script nonce="${nonce}">(${waitAndReload})(${JSON.stringify(STATUSES_OF_PROXIES)});</script>
</body>
</html>
`;
}

/** Runs in the waiting page. */
function waitAndReload(statusesOfProxies) {
  const PAUSE_MS = 5000;
  const PATIENCE_MS = 10_000;
  const countdown = document.getElementById('countdown');
  const status = document.querySelector('[role=status]');
  const [, theme] = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie) ?? [];
  if (theme) document.documentElement.dataset.theme = theme;
  let retryAt = Date.now() + PAUSE_MS;
  let isTrying = false;

  function tick() {
    if (isTrying) return;
    const secondsLeft = Math.ceil((retryAt - Date.now()) / 1000);
    if (secondsLeft > 0) countdown.textContent = `Trying again in 0:0${secondsLeft}.`;
    else void tryAgain();
  }

  async function tryAgain() {
    if (isTrying) return;
    isTrying = true;
    countdown.textContent = 'Trying again…';
    if (await isServiceBack()) {
      // The text stays until the page is there.
      location.reload();
      return;
    }
    isTrying = false;
    retryAt = Date.now() + PAUSE_MS;
    tick();
  }

  /** Requests a file that every dashboard has and that nothing has to be computed for. */
  async function isServiceBack() {
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const asked = { method: 'HEAD', cache: 'no-store', signal };
      const response = await fetch('/service-worker.js', asked);
      return !statusesOfProxies.includes(response.status);
    } catch {
      return false;
    }
  }

  async function tryNow() {
    status.textContent = '';
    await tryAgain();
    if (isTrying) return;
    status.textContent = navigator.onLine
      ? 'The service still cannot be reached.'
      : 'You are still offline.';
  }

  /** Without a network, nothing is known about the service. */
  function showReason() {
    const heading = navigator.onLine ? 'The service cannot be reached' : 'You are offline';
    document.querySelector('h1').textContent = heading;
    document.title = `${heading} · Conversation Service`;
    document.getElementById('outlook').textContent = navigator.onLine
      ? 'This page opens automatically once the service is back.'
      : 'This page opens automatically once you are back online.';
  }

  document.querySelector('button').addEventListener('click', () => void tryNow());
  addEventListener('online', () => {
    showReason();
    void tryAgain();
  });
  addEventListener('offline', showReason);
  showReason();
  setInterval(tick, 250);
  tick();
  // Announced once, not with each second.
  status.textContent = 'This page retries automatically.';
}
