import { Inbox } from '@novu/react';
import { createRoot } from 'react-dom/client';

// The address of the page can replace the settings of the build, so that one build serves many inboxes.
const given = new URLSearchParams(location.search);
const url = given.get('clarion') ?? import.meta.env.VITE_CLARION_URL ?? 'http://127.0.0.1:3000';
const application = given.get('application') ?? import.meta.env.VITE_APPLICATION;
const subscriber = given.get('subscriber') ?? import.meta.env.VITE_SUBSCRIBER ?? 'ada';
// Made by a backend: the HMAC-SHA256 of the subscriberId. Without it the page can only read and mark messages.
const subscriberHash = given.get('hash') ?? import.meta.env.VITE_SUBSCRIBER_HASH;

function Page() {
  return (
    <main style={{ font: '16px system-ui', margin: '2rem auto', maxWidth: '40rem' }}>
      <header style={{ display: 'flex', justifyContent: 'space-between' }}>
        <h1>Shop</h1>
        <Inbox
          applicationIdentifier={application}
          subscriber={subscriber}
          subscriberHash={subscriberHash}
          backendUrl={url}
          socketUrl={url}
        />
      </header>
      <p>Orders of {subscriber}. The bell shows what happened to them.</p>
    </main>
  );
}

createRoot(document.getElementById('root')).render(<Page />);
