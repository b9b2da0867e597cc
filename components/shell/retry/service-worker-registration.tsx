'use client';

import { useEffect } from 'react';
import { whenIdle } from '#components/ui/rendering/when-idle.ts';

/** Registers `public/service-worker.js`, the page shown while the service is unavailable. */
export function ServiceWorkerRegistration() {
  useEffect(() => {
    // In development, other projects use the same origin. Over plain http, browsers have service
    // workers for localhost only.
    if (process.env.NODE_ENV !== 'production' || !('serviceWorker' in navigator)) return;
    return afterLoad(() => void register());
  }, []);
  return null;
}

/** Calls `act` when the page is loaded and the browser is idle. The result cancels this. */
function afterLoad(act: () => void): () => void {
  if (document.readyState === 'complete') return whenIdle(act);
  let callOff = () => window.removeEventListener('load', onLoad);
  const onLoad = () => {
    callOff = whenIdle(act);
  };
  window.addEventListener('load', onLoad, { once: true });
  return () => callOff();
}

async function register(): Promise<void> {
  try {
    await navigator.serviceWorker.register('/service-worker.js', { updateViaCache: 'none' });
  } catch {
    // Service workers are switched off, or the service became unavailable: everything works without
    // them.
  }
}
