import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { queries } from './api/queries';
import { readActivitySearch } from './pages/activity/search';
import { readIntegrationsSearch } from './pages/integrations/search';
import { readLayoutsSearch } from './pages/layouts/search';
import { readNotificationSearch } from './pages/notification/search';
import { readOutboxSearch } from './pages/outbox/search';
import { readOverviewSearch } from './pages/overview/search';
import { readPromotionSearch } from './pages/promotion/search';
import { readSettingsSearch } from './pages/settings/search';
import { readSignInSearch } from './pages/sign-in/search';
import { readSubscriberSearch, readSubscribersSearch } from './pages/subscribers/search';
import { readSuppressionsSearch } from './pages/suppressions/search';
import { readTopicSearch, readTopicsSearch } from './pages/topics/search';
import { readTranslationsSearch } from './pages/translations/search';
import { readWebhookSearch, readWebhooksSearch } from './pages/webhooks/search';
import { readWorkflowSearch, readWorkflowsSearch } from './pages/workflows/search';
import { oneText, parseSearch, stringifySearch } from './search';
import { chosenEnvironment } from './session/environment';
import { sessionQuery } from './session/session';
import { Shell } from './shell/shell';
import { PageError } from './ui/page-error';
import { PageMissing } from './ui/page-missing';
import { PageSkeleton } from './ui/skeleton';

const root = createRootRoute({
  validateSearch: (search): { environment?: string } => ({ environment: oneText(search, 'environment') }),
  search: { middlewares: [retainSearchParams(['environment'])] },
  // Back, forward and links may lead to another environment, which is another document.
  beforeLoad: async ({ search, location, preload }) => {
    if (preload || (search.environment ?? null) === chosenEnvironment()) return;
    window.location.assign(location.href);
    await new Promise(() => undefined);
  },
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/overview', replace: true });
  },
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: readSignInSearch,
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-in-page'), 'SignInPage'),
});

/** The pages that require a session. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Shell,
  beforeLoad: async ({ location }) => {
    const session = await queries.ensureQueryData(sessionQuery);
    if (!session) throw redirect({ to: '/sign-in', search: { next: location.href }, replace: true });
  },
});

const under = { getParentRoute: () => signedIn };

const pages = [
  createRoute({
    ...under,
    path: '/overview',
    validateSearch: readOverviewSearch,
    component: lazyRouteComponent(() => import('./pages/overview/overview-page'), 'OverviewPage'),
  }),
  createRoute({
    ...under,
    path: '/activity',
    validateSearch: readActivitySearch,
    component: lazyRouteComponent(() => import('./pages/activity/activity-page'), 'ActivityPage'),
  }),
  createRoute({
    ...under,
    path: '/activity/$notificationId',
    validateSearch: readNotificationSearch,
    component: lazyRouteComponent(() => import('./pages/notification/notification-page'), 'NotificationPage'),
  }),
  createRoute({
    ...under,
    path: '/subscribers',
    validateSearch: readSubscribersSearch,
    component: lazyRouteComponent(() => import('./pages/subscribers/subscribers-page'), 'SubscribersPage'),
  }),
  createRoute({
    ...under,
    path: '/subscribers/$subscriberId',
    validateSearch: readSubscriberSearch,
    component: lazyRouteComponent(() => import('./pages/subscribers/subscriber-page'), 'SubscriberPage'),
  }),
  createRoute({
    ...under,
    path: '/topics',
    validateSearch: readTopicsSearch,
    component: lazyRouteComponent(() => import('./pages/topics/topics-page'), 'TopicsPage'),
  }),
  createRoute({
    ...under,
    path: '/topics/$topicKey',
    validateSearch: readTopicSearch,
    component: lazyRouteComponent(() => import('./pages/topics/topic-page'), 'TopicPage'),
  }),
  createRoute({
    ...under,
    path: '/workflows',
    validateSearch: readWorkflowsSearch,
    component: lazyRouteComponent(() => import('./pages/workflows/workflows-page'), 'WorkflowsPage'),
  }),
  createRoute({
    ...under,
    path: '/workflows/$workflowId',
    validateSearch: readWorkflowSearch,
    component: lazyRouteComponent(() => import('./pages/workflows/workflow-page'), 'WorkflowPage'),
  }),
  createRoute({
    ...under,
    path: '/layouts',
    validateSearch: readLayoutsSearch,
    component: lazyRouteComponent(() => import('./pages/layouts/layouts-page'), 'LayoutsPage'),
  }),
  createRoute({
    ...under,
    path: '/translations',
    validateSearch: readTranslationsSearch,
    component: lazyRouteComponent(() => import('./pages/translations/translations-page'), 'TranslationsPage'),
  }),
  createRoute({
    ...under,
    path: '/promotion',
    validateSearch: readPromotionSearch,
    component: lazyRouteComponent(() => import('./pages/promotion/promotion-page'), 'PromotionPage'),
  }),
  createRoute({
    ...under,
    path: '/integrations',
    validateSearch: readIntegrationsSearch,
    component: lazyRouteComponent(() => import('./pages/integrations/integrations-page'), 'IntegrationsPage'),
  }),
  createRoute({
    ...under,
    path: '/outbox',
    validateSearch: readOutboxSearch,
    component: lazyRouteComponent(() => import('./pages/outbox/outbox-page'), 'OutboxPage'),
  }),
  createRoute({
    ...under,
    path: '/suppressions',
    validateSearch: readSuppressionsSearch,
    component: lazyRouteComponent(() => import('./pages/suppressions/suppressions-page'), 'SuppressionsPage'),
  }),
  createRoute({
    ...under,
    path: '/webhooks',
    validateSearch: readWebhooksSearch,
    component: lazyRouteComponent(() => import('./pages/webhooks/webhooks-page'), 'WebhooksPage'),
  }),
  createRoute({
    ...under,
    path: '/webhooks/$endpointId',
    validateSearch: readWebhookSearch,
    component: lazyRouteComponent(() => import('./pages/webhooks/webhook-page'), 'WebhookPage'),
  }),
  createRoute({
    ...under,
    path: '/settings',
    validateSearch: readSettingsSearch,
    component: lazyRouteComponent(() => import('./pages/settings/settings-page'), 'SettingsPage'),
  }),
  createRoute({
    ...under,
    path: '/ui',
    component: lazyRouteComponent(() => import('./pages/ui/ui-page'), 'UiPage'),
  }),
  // An unknown address keeps the navigation.
  createRoute({ ...under, path: '$', component: PageMissing }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([home, signIn, signedIn.addChildren([...pages])]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingMs: 200,
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: PageMissing,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
