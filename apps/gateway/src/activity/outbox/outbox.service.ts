import { Injectable } from '@nestjs/common';
import {
  DomainError,
  type EnvironmentId,
  type ListOutboxQuery,
  type OutboxListDto,
  type OutboxMessageDto,
} from '@clarion/contracts';
import { type KeyOwner, OutboxRepository, type StoredOutboxMessage } from '@clarion/persistence';
import { SecretBox, type SecretLocation } from '@clarion/platform';
import { maySeeLinks } from '../../edge/http/disclosure';
import { cursorEnvelope, withoutNulls } from '../../edge/http/page';

const LINK_SECONDS = 15 * 60;

type OutboxLink = { environmentId: EnvironmentId; messageId: string; expires: string; signature: string };

@Injectable()
export class OutboxService {
  constructor(
    private readonly outbox: OutboxRepository,
    private readonly secrets: SecretBox,
  ) {}

  async list(owner: KeyOwner, query: ListOutboxQuery, baseUrl: string): Promise<OutboxListDto> {
    const { channel, to, transactionId, search } = query;
    const result = await this.outbox.list(
      owner.environmentId,
      { channel, to, transactionId, search, hidesLinks: !maySeeLinks(owner) },
      query,
    );
    return cursorEnvelope(result, (message) => this.toDto(owner, message, baseUrl));
  }

  async retrieve(owner: KeyOwner, messageId: string, baseUrl: string): Promise<OutboxMessageDto> {
    return this.toDto(owner, await this.find(owner.environmentId, messageId), baseUrl);
  }

  async find(environmentId: EnvironmentId, messageId: string): Promise<StoredOutboxMessage> {
    const message = await this.outbox.find(environmentId, messageId);
    if (!message) throw new DomainError('not_found', `Message ${messageId} is not in the outbox`);
    return message;
  }

  empty(owner: KeyOwner): Promise<void> {
    return this.outbox.empty(owner.environmentId);
  }

  /** Returns whether the page may have links that can be followed: its link was made for a caller that may see them. */
  readLink({ environmentId, messageId, expires, signature }: OutboxLink): boolean {
    const hasLinks = [true, false].find((has) =>
      this.secrets.isSignature(signature, expires, linkPlace(environmentId, messageId, has)),
    );
    if (hasLinks === undefined) throw new DomainError('unauthorized', 'The signature of this link is not valid');
    if (Number(expires) * 1000 < Date.now()) {
      throw new DomainError('unauthorized', 'This link has expired: ask /v1/outbox for a new one');
    }
    return hasLinks;
  }

  private linkTo(owner: KeyOwner, { environmentId, id }: StoredOutboxMessage, baseUrl: string): string {
    const expires = String(Math.floor(Date.now() / 1000) + LINK_SECONDS);
    const signature = this.secrets.sign(expires, linkPlace(environmentId, id, maySeeLinks(owner)));
    return `${baseUrl}/outbox/${environmentId}/${id}?expires=${expires}&signature=${signature}`;
  }

  private toDto(owner: KeyOwner, message: StoredOutboxMessage, baseUrl: string): OutboxMessageDto {
    const { id, environmentId, notificationId, channel, providerId, to, subject, html, text, more, createdAt } =
      message;
    return withoutNulls({
      _id: id,
      _environmentId: environmentId,
      _notificationId: notificationId,
      channel,
      providerId,
      to,
      subject,
      html,
      text,
      more,
      previewUrl: this.linkTo(owner, message, baseUrl),
      createdAt: createdAt.toISOString(),
    });
  }
}

const linkPlace = (environmentId: EnvironmentId, messageId: string, hasLinks: boolean): SecretLocation => [
  environmentId,
  'outbox',
  messageId,
  ...(hasLinks ? [] : ['without links']),
];
