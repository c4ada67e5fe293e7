import { Pool as HttpPool } from 'undici';
import {
  fillLists,
  fillMessages,
  FREQUENT_KEY,
  FREQUENT_TOPIC,
  type ListsData,
  type MessagesData,
  phoneOf,
  RARE_PHONE,
  RARE_WORD,
  READER,
  WHOLE_TOPIC,
} from './lists-data';
import { type Figure, median, percentile, progress } from './report';
import type { Scene, Stage } from './stage';

export type ListsOptions = {
  small: number;
  large: number;
  blocks: number;
  requests: number;
  /** The percentile of a block that counts: with 0.95 five of a hundred requests are slower. */
  percentile: number;
  goal: number;
};

/**
 * The cost of each list in a large environment relative to the same request in a small one. The two alternate request
 * by request, so that other load of the machine slows both alike. The figure is the median over blocks of requests,
 * each with its own percentile.
 */
export function lists(stage: Stage, options: ListsOptions): Promise<Figure[]> {
  return measure(stage, 'lists', REQUESTS, fillLists, options);
}

/** Only the list of messages, which is sorted by another column than its table is partitioned by. */
export function messages(stage: Stage, options: ListsOptions): Promise<Figure[]> {
  return measure(stage, 'messages', MESSAGES, fillMessages, options);
}

async function measure<Data>(
  stage: Stage,
  name: string,
  all: Record<string, (data: Data) => string>,
  fill: (scene: Scene, rows: number) => Promise<Data>,
  options: ListsOptions,
): Promise<Figure[]> {
  const sides: Side<Data>[] = [];
  try {
    for (const [size, rows] of [
      ['small', options.small],
      ['large', options.large],
    ] as const) {
      const scene = await stage.open(`${name}_${size}`);
      sides.push({ scene, data: await fill(scene, rows), http: new HttpPool(scene.url, { connections: 1 }) });
    }
    const [small, large] = sides as [Side<Data>, Side<Data>];
    const figures: Figure[] = [];
    const requests = Object.entries(all);
    for (const [what, pathOf] of requests) {
      if (figures.length % 10 === 0) progress(`${name}: ${figures.length} of ${requests.length} requests measured`);
      figures.push(await compare(what, pathOf, small, large, options));
    }
    return figures;
  } finally {
    for (const { http } of sides) await http.close();
  }
}

type Side<Data> = { scene: Scene; data: Data; http: HttpPool };
type PathOf = (data: ListsData) => string;
type MessagesPathOf = (data: MessagesData) => string;

const feedPayload = Buffer.from(JSON.stringify({ rare: true })).toString('base64url');
const feed = (subscriberId: string, query = ''): string =>
  `/v1/subscribers/${subscriberId}/notifications/feed${query && `?${query}`}`;

const MESSAGES: Record<string, MessagesPathOf> = {
  messages: () => `/v1/messages`,
  'messages, channel': () => `/v1/messages?channel=email`,
  'messages, subscriberId': ({ recipient }) => `/v1/messages?subscriberId=${recipient.subscriberId}`,
  'messages, transactionId': ({ transactionId }) => `/v1/messages?transactionId=${transactionId}`,
  'messages, page 5': () => `/v1/messages?page=5`,
};

/** Filters match the same number of rows in both databases, or the same share where the name says so. */
const REQUESTS: Record<string, PathOf> = {
  subscribers: () => `/v2/subscribers`,
  'subscribers, part of an email': () => `/v2/subscribers?email=${RARE_WORD}`,
  'subscribers, a whole email': () => `/v2/subscribers?email=member777@example.com`,
  'subscribers, part of every email': () => `/v2/subscribers?email=example.com`,
  'subscribers, part of a name': () => `/v2/subscribers?name=${RARE_WORD}`,
  'subscribers, part of a quarter of the names': () => `/v2/subscribers?name=Grace`,
  'subscribers, part of a phone number': () => `/v2/subscribers?phone=${RARE_PHONE}`,
  'subscribers, a whole phone number': ({ number }) => `/v2/subscribers?phone=${encodeURIComponent(phoneOf(number))}`,
  'subscribers, subscriberId': () => `/v2/subscribers?subscriberId=member-7`,
  'subscribers, orderBy createdAt': () => `/v2/subscribers?orderBy=createdAt`,
  'subscribers, orderBy updatedAt': () => `/v2/subscribers?orderBy=updatedAt`,
  'subscribers, after the middle': ({ subscriberCursor }) => `/v2/subscribers?after=${subscriberCursor}`,
  topics: () => `/v2/topics`,
  'topics, part of a key': () => `/v2/topics?key=${RARE_WORD}`,
  'topics, a whole key': ({ number }) => `/v2/topics?key=topic-${number}`,
  'topics, part of one key in ten': () => `/v2/topics?key=${FREQUENT_KEY}`,
  'topics, part of a name': () => `/v2/topics?name=${RARE_WORD}`,
  'topics, after the middle': ({ topicCursor }) => `/v2/topics?after=${topicCursor}`,
  'subscriptions of one topic': () => `/v2/topics/${WHOLE_TOPIC}/subscriptions`,
  'subscriptions, subscriberId': () => `/v2/topics/${WHOLE_TOPIC}/subscriptions?subscriberId=member-7`,
  'subscriptions, orderBy createdAt': () => `/v2/topics/${WHOLE_TOPIC}/subscriptions?orderBy=createdAt`,
  'subscriptions, after the middle': ({ subscriptionCursor }) =>
    `/v2/topics/${WHOLE_TOPIC}/subscriptions?after=${subscriptionCursor}`,
  ...MESSAGES,
  feed: ({ recipient }) => feed(recipient.subscriberId),
  'feed, unread': ({ recipient }) => feed(recipient.subscriberId, 'read=false'),
  'feed of 10,000': () => feed(READER),
  'feed of 10,000, unread': () => feed(READER, 'read=false'),
  'feed of 10,000, part of a payload': () => feed(READER, `payload=${feedPayload}`),
  notifications: () => `/v1/notifications`,
  'notifications, channel of few': () => `/v1/notifications?channels=chat`,
  'notifications, channel of a third': () => `/v1/notifications?channels=email`,
  'notifications, workflow of few': ({ rareWorkflow }) => `/v1/notifications?templates=${rareWorkflow}`,
  'notifications, workflow of nearly all': ({ commonWorkflow }) => `/v1/notifications?templates=${commonWorkflow}`,
  'notifications, subscriberIds': ({ recipient }) => `/v1/notifications?subscriberIds=${recipient.subscriberId}`,
  'notifications, emails': ({ recipient }) => `/v1/notifications?emails=${recipient.email}`,
  'notifications, transactionId': ({ transactionId }) => `/v1/notifications?transactionId=${transactionId}`,
  'notifications, severity of few': () => `/v1/notifications?severity=high`,
  'notifications, severity of nearly all': () => `/v1/notifications?severity=none`,
  'notifications, topic of few': () => `/v1/notifications?topicKey=${RARE_WORD}`,
  'notifications, topic of one in a hundred': () => `/v1/notifications?topicKey=${FREQUENT_TOPIC}`,
  'notifications, after': ({ middle }) => `/v1/notifications?after=${middle.toISOString()}`,
  'notifications, before': ({ middle }) => `/v1/notifications?before=${middle.toISOString()}`,
  'notifications, page 5': () => `/v1/notifications?page=5`,
  'one notification': ({ notificationId }) => `/v1/notifications/${notificationId}`,
  workflows: () => `/v2/workflows`,
  integrations: () => `/v1/integrations`,
};

const WARM_UP = 3;

async function compare<Data>(
  what: string,
  pathOf: (data: Data) => string,
  small: Side<Data>,
  large: Side<Data>,
  { blocks, requests, percentile: share, goal }: ListsOptions,
): Promise<Figure> {
  const calls = [small, large].map((side) => () => call(side, pathOf(side.data))) as [Call, Call];
  const [expected, found] = [await calls[0](), await calls[1]()];
  if (expected.items !== found.items)
    throw new Error(`${what}: ${expected.items} items in the small database, ${found.items} in the large one`);
  const measured: { ratio: number; small: number; large: number }[] = [];
  await takeTurns(calls, WARM_UP);
  for (let block = 0; block < blocks; block += 1) {
    const [few, many] = (await takeTurns(calls, requests)).map((times) => percentile(times, share)) as [number, number];
    measured.push({ ratio: many / few, small: few, large: many });
  }
  const ratio = median(measured.map((block) => block.ratio));
  const shown = measured.find((block) => block.ratio === ratio)!;
  return {
    what,
    measured: `${ratio.toFixed(1)} x (p${share * 100} ${shown.large.toFixed(1)} ms to ${shown.small.toFixed(1)} ms)`,
    goal: `<= ${goal.toFixed(1)} x`,
    reached: ratio <= goal,
  };
}

type Call = () => Promise<{ items: number; milliseconds: number }>;

async function takeTurns(calls: [Call, Call], times: number): Promise<[number[], number[]]> {
  const taken: [number[], number[]] = [[], []];
  for (let turn = 0; turn < times; turn += 1) {
    for (const side of [0, 1] as const) taken[side].push((await calls[side]()).milliseconds);
  }
  return taken;
}

async function call(
  { scene, http }: Pick<Side<unknown>, 'scene' | 'http'>,
  path: string,
): Promise<{ items: number; milliseconds: number }> {
  const begin = performance.now();
  const { statusCode, body } = await http.request({
    method: 'GET',
    path,
    headers: { authorization: `ApiKey ${scene.key}` },
  });
  const text = await body.text();
  const milliseconds = performance.now() - begin;
  const items = text.split('"_id"').length - 1;
  if (statusCode !== 200 || items === 0) throw new Error(`${path} answered ${statusCode}: ${text.slice(0, 300)}`);
  return { items, milliseconds };
}
