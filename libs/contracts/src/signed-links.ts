/**
 * Links that work without a key, because their token is signed: tracked links and the page of preferences (`/u/`,
 * `/t/`), and links that set up a chat channel (`/setup/chat/`, `/oauth/start/`, the state of OAuth, a bot).
 */
const SLASH = String.raw`(?:\\{0,4}/|%2F)`;
const EMAIL_LINK = String.raw`(${SLASH}(?:u|t${SLASH}[co])${SLASH})[\w-]{66,}`;
const SETUP_PATH = String.raw`${SLASH}(?:setup${SLASH}chat${SLASH}[\w-]{36}|oauth${SLASH}start)${SLASH}`;
const SETUP_LINK = String.raw`(${SETUP_PATH}|(?:state|start)(?:=|%3D))[\w-]{54}(?:[\w-]{43})?(?![\w-])`;

/** For regular expressions of JavaScript and of Postgres. The first groups are what comes before the token. */
export const SIGNED_LINK = `${EMAIL_LINK}|${SETUP_LINK}`;

const PATTERN = new RegExp(SIGNED_LINK, 'gi');

/** The text with links that cannot be followed, for callers that may not do what the links do. */
export const hideSignedLinks = (text: string): string => text.replace(PATTERN, '$1$2hidden');
