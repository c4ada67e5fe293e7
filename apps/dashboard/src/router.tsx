import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent as lazy,
  redirect,
  retainSearchParams,
  type RouteComponent,
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
import { PageError, PageMissing, PageSkeleton } from './ui/page';

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
  component: lazy(() => import('./pages/sign-in/sign-in-page'), 'SignInPage'),
});

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

/** A page is loaded when it is opened; its module exports it under the name. */
const page = <const Path extends string, Search extends object, Name extends string>(
  path: Path,
  validateSearch: (search: Record<string, unknown>) => Search,
  load: () => Promise<Record<Name, RouteComponent>>,
  name: Name,
) => createRoute({ ...under, path, validateSearch, component: lazy(load, name) });

const pages = [
  page('/overview', readOverviewSearch, () => import('./pages/overview/overview-page'), 'OverviewPage'),
  page('/activity', readActivitySearch, () => import('./pages/activity/activity-page'), 'ActivityPage'),
  page(
    '/activity/$notificationId',
    readNotificationSearch,
    () => import('./pages/notification/notification-page'),
    'NotificationPage',
  ),
  page('/subscribers', readSubscribersSearch, () => import('./pages/subscribers/subscribers-page'), 'SubscribersPage'),
  page(
    '/subscribers/$subscriberId',
    readSubscriberSearch,
    () => import('./pages/subscribers/subscriber-page'),
    'SubscriberPage',
  ),
  page('/topics', readTopicsSearch, () => import('./pages/topics/topics-page'), 'TopicsPage'),
  page('/topics/$topicKey', readTopicSearch, () => import('./pages/topics/topic-page'), 'TopicPage'),
  page('/workflows', readWorkflowsSearch, () => import('./pages/workflows/workflows-page'), 'WorkflowsPage'),
  page('/workflows/$workflowId', readWorkflowSearch, () => import('./pages/workflows/workflow-page'), 'WorkflowPage'),
  page('/layouts', readLayoutsSearch, () => import('./pages/layouts/layouts-page'), 'LayoutsPage'),
  page(
    '/translations',
    readTranslationsSearch,
    () => import('./pages/translations/translations-page'),
    'TranslationsPage',
  ),
  page('/promotion', readPromotionSearch, () => import('./pages/promotion/promotion-page'), 'PromotionPage'),
  page(
    '/integrations',
    readIntegrationsSearch,
    () => import('./pages/integrations/integrations-page'),
    'IntegrationsPage',
  ),
  page('/outbox', readOutboxSearch, () => import('./pages/outbox/outbox-page'), 'OutboxPage'),
  page(
    '/suppressions',
    readSuppressionsSearch,
    () => import('./pages/suppressions/suppressions-page'),
    'SuppressionsPage',
  ),
  page('/webhooks', readWebhooksSearch, () => import('./pages/webhooks/webhooks-page'), 'WebhooksPage'),
  page('/webhooks/$endpointId', readWebhookSearch, () => import('./pages/webhooks/webhook-page'), 'WebhookPage'),
  page('/settings', readSettingsSearch, () => import('./pages/settings/settings-page'), 'SettingsPage'),
  createRoute({
    ...under,
    path: '/help/$',
    component: lazy(() => import('./pages/help/help-page'), 'HelpPage'),
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
