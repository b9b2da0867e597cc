// Starts the service.
import './boot/quick-imports.ts';

// Loaded here, after the first import has taken effect.
await import('./start/start.ts');
