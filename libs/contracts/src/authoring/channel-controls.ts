import { REDIRECT_TARGETS } from '../vocabulary';
import { ADDRESS, control, FILLED, FLAG, object, oneOf, plainControls, TEXT } from './control-schemas';

const LINE = { template: true } as const;
const LINES = { template: true, multiline: true } as const;
const HTML = { template: true, multiline: true, language: 'html' } as const;
const RARE = { advanced: true } as const;

const redirect = (title: string, description: string) =>
  control(
    title,
    description,
    object(
      {
        url: control('Address', 'An http(s) address, a path that starts with /, or a template.', ADDRESS, LINE),
        target: control('Target', 'Where the browser opens the address.', oneOf(REDIRECT_TARGETS)),
      },
      ['url'],
    ),
    RARE,
  );

const action = (title: string, description: string) =>
  control(
    title,
    description,
    object(
      {
        label: control('Label', 'The text of the button.', FILLED, LINE),
        redirect: redirect('Redirect', 'What a click opens.'),
        resultContent: control('Result', 'The text of the button after a click, for clients that show it.', TEXT, LINE),
      },
      ['label'],
    ),
    RARE,
  );

const disableOutputSanitization = control(
  'Keep unsafe HTML',
  'Sends the HTML without the sanitizer. Use it only if all values in it are yours.',
  { ...FLAG, default: false },
  RARE,
);

export const IN_APP_CONTROLS = plainControls({
  title: 'In-app',
  description: 'Shows a message in the inbox of the subscriber.',
  controls: {
    subject: control('Subject', 'The title of the message.', TEXT, LINE),
    body: control('Body', 'The text of the message. It may contain simple HTML.', TEXT, LINES),
    avatar: control('Avatar', 'The address of a picture.', ADDRESS, { ...LINE, ...RARE }),
    primaryAction: action('Primary action', 'The first button.'),
    secondaryAction: action('Secondary action', 'The second button.'),
    redirect: redirect('Redirect', 'What a click on the message opens.'),
    data: control(
      'Data',
      'Values that the inbox of your application reads.',
      { type: 'object' },
      {
        ...RARE,
        language: 'json',
      },
    ),
    disableOutputSanitization,
  },
  needsOneOf: [['body'], ['subject']],
});

export const EMAIL_CONTROLS = plainControls({
  title: 'Email',
  description: 'Sends an email to the address of the subscriber.',
  controls: {
    subject: control('Subject', 'The subject line, as text.', FILLED, LINE),
    preheader: control('Preheader', 'The text that mail programs show after the subject.', TEXT, LINE),
    body: control(
      'Body',
      'HTML, or the document of the block editor as JSON or as JSON text.',
      { type: ['string', 'object', 'array'] },
      HTML,
    ),
    layoutId: control(
      'Layout',
      'The layout around the body. Without it the default layout is used; null uses none.',
      { type: ['string', 'null'] },
      { reference: 'layout' },
    ),
    editorType: control('Editor', 'Whether the body is HTML or a block document.', oneOf(['html', 'block']), RARE),
    from: control(
      'From',
      'The sender, instead of the sender of the integration.',
      object({
        email: control('Address', 'The address of the sender.', TEXT, LINE),
        name: control('Name', 'The name of the sender.', TEXT, LINE),
      }),
      RARE,
    ),
    replyTo: control('Reply to', 'The address that answers go to.', TEXT, { ...LINE, ...RARE }),
    useProviderDefaults: control(
      'Use the defaults of the provider',
      'Accepted for compatibility; it changes nothing.',
      FLAG,
      RARE,
    ),
    disableOutputSanitization,
  },
  needs: ['subject'],
});

export const SMS_CONTROLS = plainControls({
  title: 'SMS',
  description: 'Sends a text message to the phone number of the subscriber.',
  controls: { body: control('Body', 'The text of the message.', FILLED, LINES) },
  needs: ['body'],
});

export const CHAT_CONTROLS = plainControls({
  title: 'Chat',
  description: 'Sends a chat message through each chat account of the subscriber.',
  controls: {
    body: control('Body', 'The text of the message, in the markup of the chat provider.', FILLED, LINES),
    editorType: control('Editor', 'Accepted for compatibility; it changes nothing.', TEXT, RARE),
  },
  needs: ['body'],
});

export const PUSH_CONTROLS = plainControls({
  title: 'Push',
  description: 'Sends a push notification to each device of the subscriber.',
  controls: {
    subject: control('Subject', 'The title of the notification.', FILLED, LINE),
    body: control('Body', 'The text of the notification.', FILLED, LINES),
  },
  needs: ['subject', 'body'],
});
