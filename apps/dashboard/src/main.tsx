import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from './api/queries';
import { router } from './router';
import { exchangeToken } from './session/session';
import { isOutdated } from './shell/notices';
import { applyTheme } from './shell/theme';
import './ui/tokens.css';
import './ui/base.css';

applyTheme();
// A page that was opened before a deploy asks for files that no longer exist.
window.addEventListener('vite:preloadError', (event) => {
  event.preventDefault();
  isOutdated.set(true);
});
await exchangeToken();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
