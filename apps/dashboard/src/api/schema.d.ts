/** What the pages use of the API, written by `npm run api-types`. */
export interface paths {
  '/v1/activity': {
    get: {
      parameters: {
        query?: {
          status?: ('in_flight' | 'in_doubt' | 'failed' | 'delivered' | 'skipped')[];
          channel?: ('in_app' | 'email' | 'sms' | 'chat' | 'push')[];
          workflowId?: string[];
          providerId?: string[];
          reason?: string;
          subscriber?: string;
          topicKey?: string;
          transactionId?: string[];
          severity?: ('high' | 'medium' | 'low' | 'none')[];
          after?: string;
          before?: string;
          payload?: string;
          limit?: number;
          cursor?: string;
        };
      };
      responses: { 200: { content: { 'application/json': components['schemas']['ActivityListDto'] } } };
    };
  };
  '/v1/activity/groups': {
    get: {
      parameters: {
        query?: {
          status?: ('in_flight' | 'in_doubt' | 'failed' | 'delivered' | 'skipped')[];
          channel?: ('in_app' | 'email' | 'sms' | 'chat' | 'push')[];
          workflowId?: string[];
          providerId?: string[];
          reason?: string;
          subscriber?: string;
          topicKey?: string;
          transactionId?: string[];
          severity?: ('high' | 'medium' | 'low' | 'none')[];
          after?: string;
          before?: string;
          payload?: string;
        };
      };
      responses: { 200: { content: { 'application/json': components['schemas']['ActivityGroupsDto'] } } };
    };
  };
  '/v1/audit-log': {
    get: {
      parameters: {
        query?: {
          after?: string;
          before?: string;
          limit?: number;
          orderDirection?: 'ASC' | 'DESC';
          includeCursor?: boolean;
          orderBy?: '_id' | 'createdAt';
          action?: string;
          resourceType?: string;
          resourceId?: string;
          actor?: string;
          createdAfter?: string;
          createdBefore?: string;
          environmentId?: string;
          format?: 'json' | 'csv' | 'ndjson';
        };
      };
      responses: { 200: { content: { 'application/json': components['schemas']['AuditLogListDto'] } } };
    };
  };
  '/v1/bulk-actions': {
    post: {
      parameters: { query?: never };
      requestBody: { content: { 'application/json': components['schemas']['CreateBulkActionDto'] } };
      responses: { 201: { content: { 'application/json': components['schemas']['BulkActionDto'] } } };
    };
  };
  '/v1/bulk-actions/{bulkActionId}': {
    get: {
      parameters: { query?: never; path: { bulkActionId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['BulkActionDto'] } } };
    };
  };
  '/v1/bulk-actions/{bulkActionId}/run': {
    post: {
      parameters: { query?: never; path: { bulkActionId: string } };
      requestBody: { content: { 'application/json': components['schemas']['RunBulkActionDto'] } };
      responses: { 200: { content: { 'application/json': components['schemas']['BulkActionDto'] } } };
    };
  };
  '/v1/bulk-actions/{bulkActionId}/stop': {
    post: {
      parameters: { query?: never; path: { bulkActionId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['BulkActionDto'] } } };
    };
  };
  '/v1/channel-connections': {
    get: {
      parameters: {
        query?: {
          after?: string;
          before?: string;
          limit?: number;
          orderDirection?: 'ASC' | 'DESC';
          includeCursor?: boolean;
          orderBy?: '_id' | 'createdAt' | 'updatedAt';
          subscriberId?: string;
          channel?: 'in_app' | 'email' | 'sms' | 'chat' | 'push';
          providerId?:
            | 'emailjs'
            | 'mailgun'
            | 'mailjet'
            | 'mandrill'
            | 'nodemailer'
            | 'postmark'
            | 'sendgrid'
            | 'sendinblue'
            | 'ses'
            | 'netcore'
            | 'infobip-email'
            | 'resend'
            | 'plunk'
            | 'mailersend'
            | 'mailtrap'
            | 'outlook365'
            | 'platform-email'
            | 'sparkpost'
            | 'email-webhook'
            | 'braze'
            | 'clickatell'
            | 'nexmo'
            | 'plivo'
            | 'sms77'
            | 'sms-central'
            | 'sns'
            | 'telnyx'
            | 'twilio'
            | 'gupshup'
            | 'firetext'
            | 'infobip-sms'
            | 'burst-sms'
            | 'bulk-sms'
            | 'isend-sms'
            | 'forty-six-elks'
            | 'kannel'
            | 'maqsam'
            | 'termii'
            | 'africas-talking'
            | 'platform-sms'
            | 'sendchamp'
            | 'generic-sms'
            | 'clicksend'
            | 'bandwidth'
            | 'messagebird'
            | 'simpletexting'
            | 'azure-sms'
            | 'ring-central'
            | 'brevo-sms'
            | 'eazy-sms'
            | 'mobishastra'
            | 'afro-message'
            | 'unifonic'
            | 'smsmode'
            | 'imedia'
            | 'sinch'
            | 'fcm'
            | 'apns'
            | 'expo'
            | 'one-signal'
            | 'pushpad'
            | 'push-webhook'
            | 'pusher-beams'
            | 'appio'
            | 'platform'
            | 'slack'
            | 'discord'
            | 'msteams'
            | 'mattermost'
            | 'ryver'
            | 'zulip'
            | 'grafana-on-call'
            | 'getstream'
            | 'rocket-chat'
            | 'whatsapp-business'
            | 'chat-webhook'
            | 'telegram'
            | 'platform-slack';
          integrationIdentifier?: string;
          contextKeys?: string[];
          connectionMode?: 'subscriber' | 'shared';
        };
      };
      responses: { 200: { content: { 'application/json': components['schemas']['ChannelConnectionListDto'] } } };
    };
  };
  '/v1/channel-connections/{identifier}': {
    delete: { parameters: { query?: never; path: { identifier: string } }; responses: { 204: { content?: never } } };
  };
  '/v1/channel-endpoints': {
    get: {
      parameters: {
        query?: {
          after?: string;
          before?: string;
          limit?: number;
          orderDirection?: 'ASC' | 'DESC';
          includeCursor?: boolean;
          orderBy?: '_id' | 'createdAt' | 'updatedAt';
          subscriberId?: string;
          channel?: 'in_app' | 'email' | 'sms' | 'chat' | 'push';
          providerId?:
            | 'emailjs'
            | 'mailgun'
            | 'mailjet'
            | 'mandrill'
            | 'nodemailer'
            | 'postmark'
            | 'sendgrid'
            | 'sendinblue'
            | 'ses'
            | 'netcore'
            | 'infobip-email'
            | 'resend'
            | 'plunk'
            | 'mailersend'
            | 'mailtrap'
            | 'outlook365'
            | 'platform-email'
            | 'sparkpost'
            | 'email-webhook'
            | 'braze'
            | 'clickatell'
            | 'nexmo'
            | 'plivo'
            | 'sms77'
            | 'sms-central'
            | 'sns'
            | 'telnyx'
            | 'twilio'
            | 'gupshup'
            | 'firetext'
            | 'infobip-sms'
            | 'burst-sms'
            | 'bulk-sms'
            | 'isend-sms'
            | 'forty-six-elks'
            | 'kannel'
            | 'maqsam'
            | 'termii'
            | 'africas-talking'
            | 'platform-sms'
            | 'sendchamp'
            | 'generic-sms'
            | 'clicksend'
            | 'bandwidth'
            | 'messagebird'
            | 'simpletexting'
            | 'azure-sms'
            | 'ring-central'
            | 'brevo-sms'
            | 'eazy-sms'
            | 'mobishastra'
            | 'afro-message'
            | 'unifonic'
            | 'smsmode'
            | 'imedia'
            | 'sinch'
            | 'fcm'
            | 'apns'
            | 'expo'
            | 'one-signal'
            | 'pushpad'
            | 'push-webhook'
            | 'pusher-beams'
            | 'appio'
            | 'platform'
            | 'slack'
            | 'discord'
            | 'msteams'
            | 'mattermost'
            | 'ryver'
            | 'zulip'
            | 'grafana-on-call'
            | 'getstream'
            | 'rocket-chat'
            | 'whatsapp-business'
            | 'chat-webhook'
            | 'telegram'
            | 'platform-slack';
          integrationIdentifier?: string;
          contextKeys?: string[];
          connectionIdentifier?: string;
        };
      };
      responses: { 200: { content: { 'application/json': components['schemas']['ChannelEndpointListDto'] } } };
    };
  };
  '/v1/channel-endpoints/{identifier}': {
    delete: { parameters: { query?: never; path: { identifier: string } }; responses: { 204: { content?: never } } };
  };
  '/v1/environment-variables': {
    get: {
      parameters: { query?: { search?: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['EnvironmentVariableDto'][] } } };
    };
    post: {
      parameters: { query?: never };
      requestBody: { content: { 'application/json': components['schemas']['CreateEnvironmentVariableDto'] } };
      responses: { 200: { content: { 'application/json': components['schemas']['EnvironmentVariableDto'] } } };
    };
  };
  '/v1/environment-variables/{variableKey}': {
    delete: { parameters: { query?: never; path: { variableKey: string } }; responses: { 204: { content?: never } } };
    patch: {
      parameters: { query?: never; path: { variableKey: string } };
      requestBody: { content: { 'application/json': components['schemas']['UpdateEnvironmentVariableDto'] } };
      responses: { 200: { content: { 'application/json': components['schemas']['EnvironmentVariableDto'] } } };
    };
  };
  '/v1/environment-variables/{variableKey}/usage': {
    get: {
      parameters: { query?: never; path: { variableKey: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['EnvironmentVariableUsageDto'] } } };
    };
  };
  '/v1/environments': {
    get: {
      parameters: { query?: never };
      responses: { 200: { content: { 'application/json': components['schemas']['EnvironmentDto'][] } } };
    };
    post: {
      parameters: { query?: never };
      requestBody: { content: { 'application/json': components['schemas']['CreateEnvironmentDto'] } };
      responses: { 201: { content: { 'application/json': components['schemas']['EnvironmentDto'] } } };
    };
  };
  '/v1/environments/me': {
    get: {
      parameters: { query?: never };
      responses: { 200: { content: { 'application/json': components['schemas']['EnvironmentDto'] } } };
    };
  };
  '/v1/environments/{environmentId}': {
    put: {
      parameters: { query?: never; path: { environmentId: string } };
      requestBody: { content: { 'application/json': components['schemas']['UpdateEnvironmentDto'] } };
      responses: { 200: { content: { 'application/json': components['schemas']['EnvironmentDto'] } } };
    };
    delete: {
      parameters: { query?: never; path: { environmentId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['DeletedEnvironmentDto'] } } };
    };
  };
  '/v1/environments/{environmentId}/api-keys': {
    get: {
      parameters: { query?: never; path: { environmentId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['ApiKeyDto'][] } } };
    };
    post: {
      parameters: { query?: never; path: { environmentId: string } };
      requestBody: { content: { 'application/json': components['schemas']['CreateApiKeyDto'] } };
      responses: { 201: { content: { 'application/json': components['schemas']['CreatedApiKeyDto'] } } };
    };
  };
  '/v1/environments/{environmentId}/api-keys/{keyId}': {
    delete: {
      parameters: { query?: never; path: { environmentId: string; keyId: string } };
      responses: { 204: { content?: never } };
    };
  };
  '/v1/environments/{environmentId}/inbox-secret/rotate': {
    post: {
      parameters: { query?: never; path: { environmentId: string } };
      requestBody: { content: { 'application/json': components['schemas']['RotateInboxSecretDto'] } };
      responses: { 200: { content: { 'application/json': components['schemas']['InboxSecretDto'] } } };
    };
  };
  '/v1/events/log': {
    get: {
      parameters: {
        query?: {
          after?: number;
          limit?: number;
          type?: (
            | 'message.sent'
            | 'message.delivered'
            | 'message.failed'
            | 'message.seen'
            | 'message.read'
            | 'message.unread'
            | 'message.archived'
            | 'message.unarchived'
            | 'message.snoozed'
            | 'message.unsnoozed'
            | 'message.deleted'
            | 'workflow.created'
            | 'workflow.updated'
            | 'workflow.published'
            | 'workflow.deleted'
            | 'preference.updated'
            | 'integration.unavailable'
            | 'integration.available'
            | 'webhook_endpoint.disabled'
          )[];
        };
      };
      responses: { 200: { content: { 'application/json': components['schemas']['EventLogDto'] } } };
    };
  };
  '/v1/events/trigger': {
    post: {
      parameters: { query?: { dryRun?: boolean; test?: boolean } };
      requestBody: { content: { 'application/json': components['schemas']['TriggerEventDto'] } };
      responses: { 201: { content: { 'application/json': components['schemas']['TriggerResultDto'] } } };
    };
  };
  '/v1/holds': {
    get: {
      parameters: { query?: never };
      responses: { 200: { content: { 'application/json': components['schemas']['HoldListDto'] } } };
    };
    post: {
      parameters: { query?: never };
      requestBody: { content: { 'application/json': components['schemas']['CreateHoldDto'] } };
      responses: {
        200: { content: { 'application/json': components['schemas']['HoldDto'] } };
        201: { content: { 'application/json': components['schemas']['HoldDto'] } };
      };
    };
  };
  '/v1/holds/{holdId}': {
    delete: { parameters: { query?: never; path: { holdId: string } }; responses: { 204: { content?: never } } };
  };
  '/v1/integrations': {
    get: {
      parameters: { query?: { deleted?: boolean } };
      responses: { 200: { content: { 'application/json': components['schemas']['IntegrationDto'][] } } };
    };
    post: {
      parameters: { query?: never };
      requestBody: { content: { 'application/json': components['schemas']['CreateIntegrationDto'] } };
      responses: { 201: { content: { 'application/json': components['schemas']['IntegrationDto'] } } };
    };
  };
  '/v1/integrations/order': {
    post: {
      parameters: { query?: never };
      requestBody: { content: { 'application/json': components['schemas']['IntegrationOrderDto'] } };
      responses: { 200: { content: { 'application/json': components['schemas']['IntegrationDto'][] } } };
    };
  };
  '/v1/integrations/{integrationId}': {
    put: {
      parameters: { query?: never; path: { integrationId: string } };
      requestBody: { content: { 'application/json': components['schemas']['UpdateIntegrationDto'] } };
      responses: { 200: { content: { 'application/json': components['schemas']['IntegrationDto'] } } };
    };
    delete: {
      parameters: { query?: never; path: { integrationId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['IntegrationDto'][] } } };
    };
  };
  '/v1/integrations/{integrationId}/check': {
    post: {
      parameters: { query?: never; path: { integrationId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['IntegrationCheckDto'] } } };
    };
  };
  '/v1/integrations/{integrationId}/health': {
    get: {
      parameters: { query?: never; path: { integrationId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['IntegrationHealthListDto'] } } };
    };
  };
  '/v1/integrations/{integrationId}/set-primary': {
    post: {
      parameters: { query?: never; path: { integrationId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['IntegrationDto'] } } };
    };
  };
  '/v1/integrations/{integrationId}/usage': {
    get: {
      parameters: { query?: never; path: { integrationId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['IntegrationUsageDto'] } } };
    };
  };
  '/v1/lookup': {
    get: {
      parameters: { query: { id: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['LookupDto'] } } };
    };
  };
  '/v1/notifications/{notificationId}': {
    get: {
      parameters: { query?: never; path: { notificationId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['NotificationDto'] } } };
    };
  };
  '/v1/notifications/{notificationId}/comparison': {
    get: {
      parameters: { query?: never; path: { notificationId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['NotificationComparisonDto'] } } };
    };
  };
  '/v1/notifications/{notificationId}/messages': {
    get: {
      parameters: { query?: { today?: boolean }; path: { notificationId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['NotificationMessagesDto'] } } };
    };
  };
  '/v1/notifications/{notificationId}/rules': {
    get: {
      parameters: { query?: never; path: { notificationId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['NotificationRulesDto'] } } };
    };
  };
  '/v1/outbox': {
    get: {
      parameters: {
        query?: {
          after?: string;
          before?: string;
          limit?: number;
          orderDirection?: 'ASC' | 'DESC';
          includeCursor?: boolean;
          orderBy?: '_id' | 'createdAt';
          channel?: 'in_app' | 'email' | 'sms' | 'chat' | 'push';
          to?: string;
          transactionId?: string;
          search?: string;
        };
      };
      responses: { 200: { content: { 'application/json': components['schemas']['OutboxListDto'] } } };
    };
    delete: { parameters: { query?: never }; responses: { 204: { content?: never } } };
  };
  '/v1/outbox/{messageId}': {
    get: {
      parameters: { query?: never; path: { messageId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['OutboxMessageDto'] } } };
    };
  };
  '/v1/overview': {
    get: {
      parameters: { query?: { after?: string; before?: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['OverviewDto'] } } };
    };
  };
  '/v1/overview/error-groups': {
    get: {
      parameters: { query?: { after?: string; before?: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['ActivityGroupsDto'] } } };
    };
  };
  '/v1/overview/integrations': {
    get: {
      parameters: { query?: never };
      responses: { 200: { content: { 'application/json': components['schemas']['IntegrationOverviewListDto'] } } };
    };
  };
  '/v1/providers': {
    get: {
      parameters: { query?: never };
      responses: { 200: { content: { 'application/json': components['schemas']['ProviderListDto'] } } };
    };
  };
  '/v1/sessions': {
    get: {
      parameters: { query?: never };
      responses: { 200: { content: { 'application/json': components['schemas']['SessionListDto'] } } };
    };
    post: {
      parameters: { query?: never };
      requestBody: { content: { 'application/json': components['schemas']['CreateSessionDto'] } };
      responses: { 201: { content: { 'application/json': components['schemas']['SessionDto'] } } };
    };
  };
  '/v1/sessions/current': {
    get: {
      parameters: { query?: never };
      responses: { 200: { content: { 'application/json': components['schemas']['SessionDto'] } } };
    };
    delete: { parameters: { query?: never }; responses: { 204: { content?: never } } };
  };
  '/v1/sessions/{sessionId}': {
    delete: { parameters: { query?: never; path: { sessionId: string } }; responses: { 204: { content?: never } } };
  };
  '/v1/subscribers/{subscriberId}/credentials/{providerId}': {
    delete: {
      parameters: { query?: never; path: { subscriberId: string; providerId: string } };
      responses: { 204: { content?: never } };
    };
  };
  '/v1/subscribers/{subscriberId}/explain': {
    post: {
      parameters: { query?: never; path: { subscriberId: string } };
      requestBody: { content: { 'application/json': components['schemas']['ExplainDto'] } };
      responses: { 200: { content: { 'application/json': components['schemas']['ExplanationDto'] } } };
    };
  };
  '/v1/suppressions': {
    get: {
      parameters: {
        query?: {
          after?: string;
          before?: string;
          limit?: number;
          orderDirection?: 'ASC' | 'DESC';
          includeCursor?: boolean;
          orderBy?: '_id' | 'createdAt';
          channel?: 'email' | 'sms' | 'chat';
          address?: string;
        };
      };
      responses: { 200: { content: { 'application/json': components['schemas']['SuppressionListDto'] } } };
    };
    post: {
      parameters: { query?: never };
      requestBody: { content: { 'application/json': components['schemas']['CreateSuppressionDto'] } };
      responses: {
        200: { content: { 'application/json': components['schemas']['SuppressionDto'] } };
        201: { content: { 'application/json': components['schemas']['SuppressionDto'] } };
      };
    };
  };
  '/v1/suppressions/{channel}/{address}': {
    delete: {
      parameters: { query?: never; path: { channel: 'email' | 'sms' | 'chat'; address: string } };
      responses: { 204: { content?: never } };
    };
  };
  '/v1/webhook-endpoints': {
    get: {
      parameters: { query?: never };
      responses: { 200: { content: { 'application/json': components['schemas']['WebhookEndpointListDto'] } } };
    };
    post: {
      parameters: { query?: never };
      requestBody: { content: { 'application/json': components['schemas']['CreateWebhookEndpointDto'] } };
      responses: { 201: { content: { 'application/json': components['schemas']['CreatedWebhookEndpointDto'] } } };
    };
  };
  '/v1/webhook-endpoints/{endpointId}': {
    get: {
      parameters: { query?: never; path: { endpointId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['WebhookEndpointDto'] } } };
    };
    delete: { parameters: { query?: never; path: { endpointId: string } }; responses: { 204: { content?: never } } };
    patch: {
      parameters: { query?: never; path: { endpointId: string } };
      requestBody: { content: { 'application/json': components['schemas']['PatchWebhookEndpointDto'] } };
      responses: { 200: { content: { 'application/json': components['schemas']['WebhookEndpointDto'] } } };
    };
  };
  '/v1/webhook-endpoints/{endpointId}/deliveries': {
    get: {
      parameters: {
        query?: { page?: number; limit?: number; state?: 'waiting' | 'delivered' | 'failed' };
        path: { endpointId: string };
      };
      responses: { 200: { content: { 'application/json': components['schemas']['WebhookDeliveryListDto'] } } };
    };
  };
  '/v1/webhook-endpoints/{endpointId}/replay': {
    post: {
      parameters: { query?: never; path: { endpointId: string } };
      requestBody: { content: { 'application/json': components['schemas']['ReplayWebhooksDto'] } };
      responses: { 202: { content: { 'application/json': components['schemas']['WebhookReplayDto'] } } };
    };
  };
  '/v1/webhook-endpoints/{endpointId}/rotate-secret': {
    post: {
      parameters: { query?: never; path: { endpointId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['WebhookSecretDto'] } } };
    };
  };
  '/v1/webhook-endpoints/{endpointId}/test': {
    post: {
      parameters: { query?: never; path: { endpointId: string } };
      responses: { 202: { content: { 'application/json': components['schemas']['WebhookDeliveryDto'] } } };
    };
  };
  '/v2/environments/{environmentId}/publishes': {
    get: {
      parameters: {
        query?: {
          after?: string;
          before?: string;
          limit?: number;
          orderDirection?: 'ASC' | 'DESC';
          includeCursor?: boolean;
          orderBy?: '_id' | 'createdAt';
        };
        path: { environmentId: string };
      };
      responses: { 200: { content: { 'application/json': components['schemas']['PublishListDto'] } } };
    };
  };
  '/v2/environments/{environmentId}/publishes/{publishId}': {
    get: {
      parameters: { query?: never; path: { environmentId: string; publishId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['PublishDto'] } } };
    };
  };
  '/v2/environments/{environmentId}/publishes/{publishId}/undo': {
    post: {
      parameters: { query?: never; path: { environmentId: string; publishId: string } };
      responses: { 201: { content: { 'application/json': components['schemas']['PublishDto'] } } };
    };
  };
  '/v2/environments/{targetEnvironmentId}/diff': {
    post: {
      parameters: { query?: never; path: { targetEnvironmentId: string } };
      requestBody: { content: { 'application/json': components['schemas']['DiffEnvironmentsDto'] } };
      responses: { 200: { content: { 'application/json': components['schemas']['EnvironmentDiffDto'] } } };
    };
  };
  '/v2/environments/{targetEnvironmentId}/publish': {
    post: {
      parameters: { query?: never; path: { targetEnvironmentId: string } };
      requestBody: { content: { 'application/json': components['schemas']['PublishEnvironmentDto'] } };
      responses: { 200: { content: { 'application/json': components['schemas']['PublishResponseDto'] } } };
    };
  };
  '/v2/layouts': {
    get: {
      parameters: {
        query?: {
          limit?: number;
          offset?: number;
          orderBy?: 'createdAt' | 'updatedAt' | 'name';
          orderDirection?: 'ASC' | 'DESC';
          query?: string;
        };
      };
      responses: { 200: { content: { 'application/json': components['schemas']['LayoutListDto'] } } };
    };
    post: {
      parameters: { query?: never };
      requestBody: { content: { 'application/json': components['schemas']['CreateLayoutDto'] } };
      responses: { 201: { content: { 'application/json': components['schemas']['LayoutDto'] } } };
    };
  };
  '/v2/layouts/{layoutId}': {
    get: {
      parameters: { query?: never; path: { layoutId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['LayoutDto'] } } };
    };
    put: {
      parameters: { query?: never; path: { layoutId: string } };
      requestBody: { content: { 'application/json': components['schemas']['UpdateLayoutDto'] } };
      responses: { 200: { content: { 'application/json': components['schemas']['LayoutDto'] } } };
    };
    delete: { parameters: { query?: never; path: { layoutId: string } }; responses: { 204: { content?: never } } };
  };
  '/v2/layouts/{layoutId}/duplicate': {
    post: {
      parameters: { query?: never; path: { layoutId: string } };
      requestBody: { content: { 'application/json': components['schemas']['DuplicateLayoutDto'] } };
      responses: { 201: { content: { 'application/json': components['schemas']['LayoutDto'] } } };
    };
  };
  '/v2/layouts/{layoutId}/preview': {
    post: {
      parameters: { query?: never; path: { layoutId: string } };
      requestBody: { content: { 'application/json': components['schemas']['PreviewLayoutDto'] } };
      responses: { 201: { content: { 'application/json': components['schemas']['LayoutPreviewDto'] } } };
    };
  };
  '/v2/layouts/{layoutId}/usage': {
    get: {
      parameters: { query?: never; path: { layoutId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['LayoutUsageDto'] } } };
    };
  };
  '/v2/step-types': {
    get: {
      parameters: { query?: never };
      responses: { 200: { content: { 'application/json': components['schemas']['StepTypeListDto'] } } };
    };
  };
  '/v2/subscribers': {
    get: {
      parameters: {
        query?: {
          after?: string;
          before?: string;
          limit?: number;
          orderDirection?: 'ASC' | 'DESC';
          includeCursor?: boolean;
          orderBy?: '_id' | 'createdAt' | 'updatedAt';
          email?: string;
          name?: string;
          phone?: string;
          subscriberId?: string;
          search?: string;
        };
      };
      responses: { 200: { content: { 'application/json': components['schemas']['SubscriberListDto'] } } };
    };
    post: {
      parameters: { query?: { failIfExists?: boolean } };
      requestBody: { content: { 'application/json': components['schemas']['CreateSubscriberDto'] } };
      responses: { 201: { content: { 'application/json': components['schemas']['SubscriberDto'] } } };
    };
  };
  '/v2/subscribers/{subscriberId}': {
    get: {
      parameters: { query?: never; path: { subscriberId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['SubscriberDto'] } } };
    };
    delete: {
      parameters: { query?: never; path: { subscriberId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['AcknowledgedDto'] } } };
    };
    patch: {
      parameters: { query?: never; path: { subscriberId: string } };
      requestBody: { content: { 'application/json': components['schemas']['PatchSubscriberDto'] } };
      responses: { 200: { content: { 'application/json': components['schemas']['SubscriberDto'] } } };
    };
  };
  '/v2/subscribers/{subscriberId}/erase': {
    post: {
      parameters: { query?: never; path: { subscriberId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['ErasureReceiptDto'] } } };
    };
  };
  '/v2/subscribers/{subscriberId}/export': {
    post: {
      parameters: { query?: { after?: string }; path: { subscriberId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['SubscriberExportDto'] } } };
    };
  };
  '/v2/subscribers/{subscriberId}/preferences': {
    get: {
      parameters: {
        query?: {
          criticality?: 'critical' | 'nonCritical' | 'all';
          contextKeys?: string[];
          limit?: number;
          offset?: number;
        };
        path: { subscriberId: string };
      };
      responses: { 200: { content: { 'application/json': components['schemas']['SubscriberPreferencesDto'] } } };
    };
    patch: {
      parameters: { query?: never; path: { subscriberId: string } };
      requestBody: { content: { 'application/json': components['schemas']['PatchPreferencesDto'] } };
      responses: { 200: { content: { 'application/json': components['schemas']['SubscriberPreferencesDto'] } } };
    };
  };
  '/v2/subscribers/{subscriberId}/subscriptions': {
    get: {
      parameters: {
        query?: {
          after?: string;
          before?: string;
          limit?: number;
          orderDirection?: 'ASC' | 'DESC';
          includeCursor?: boolean;
          orderBy?: '_id' | 'createdAt';
          contextKeys?: string[];
          key?: string;
        };
        path: { subscriberId: string };
      };
      responses: { 200: { content: { 'application/json': components['schemas']['TopicSubscriptionListDto'] } } };
    };
  };
  '/v2/subscribers/{subscriberId}/usage': {
    get: {
      parameters: { query?: never; path: { subscriberId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['SubscriberUsageDto'] } } };
    };
  };
  '/v2/topics': {
    get: {
      parameters: {
        query?: {
          after?: string;
          before?: string;
          limit?: number;
          orderDirection?: 'ASC' | 'DESC';
          includeCursor?: boolean;
          orderBy?: '_id' | 'createdAt' | 'updatedAt';
          key?: string;
          name?: string;
        };
      };
      responses: { 200: { content: { 'application/json': components['schemas']['TopicListDto'] } } };
    };
    post: {
      parameters: { query?: { failIfExists?: boolean } };
      requestBody: { content: { 'application/json': components['schemas']['CreateTopicDto'] } };
      responses: {
        200: { content: { 'application/json': components['schemas']['TopicDto'] } };
        201: { content: { 'application/json': components['schemas']['TopicDto'] } };
      };
    };
  };
  '/v2/topics/{topicKey}': {
    get: {
      parameters: { query?: never; path: { topicKey: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['TopicDto'] } } };
    };
    delete: {
      parameters: { query?: never; path: { topicKey: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['AcknowledgedDto'] } } };
    };
    patch: {
      parameters: { query?: never; path: { topicKey: string } };
      requestBody: { content: { 'application/json': components['schemas']['PatchTopicDto'] } };
      responses: { 200: { content: { 'application/json': components['schemas']['TopicDto'] } } };
    };
  };
  '/v2/topics/{topicKey}/subscriptions': {
    get: {
      parameters: {
        query?: {
          after?: string;
          before?: string;
          limit?: number;
          orderDirection?: 'ASC' | 'DESC';
          includeCursor?: boolean;
          orderBy?: '_id' | 'createdAt';
          contextKeys?: string[];
          subscriberId?: string;
        };
        path: { topicKey: string };
      };
      responses: { 200: { content: { 'application/json': components['schemas']['TopicSubscriptionListDto'] } } };
    };
    post: {
      parameters: { query?: never; path: { topicKey: string } };
      requestBody: { content: { 'application/json': components['schemas']['CreateTopicSubscriptionsDto'] } };
      responses: { 201: { content: { 'application/json': components['schemas']['TopicSubscriptionsResultDto'] } } };
    };
    delete: {
      parameters: { query?: never; path: { topicKey: string } };
      requestBody: { content: { 'application/json': components['schemas']['DeleteTopicSubscriptionsDto'] } };
      responses: { 200: { content: { 'application/json': components['schemas']['TopicSubscriptionsResultDto'] } } };
    };
  };
  '/v2/topics/{topicKey}/usage': {
    get: {
      parameters: { query?: never; path: { topicKey: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['TopicUsageDto'] } } };
    };
  };
  '/v2/translations': {
    get: {
      parameters: { query?: { after?: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['TranslationListDto'] } } };
    };
    post: {
      parameters: { query?: never };
      requestBody: { content: { 'application/json': components['schemas']['CreateTranslationDto'] } };
      responses: { 200: { content: { 'application/json': components['schemas']['TranslationDto'] } } };
    };
  };
  '/v2/translations/group/{resourceType}/{resourceId}': {
    get: {
      parameters: { query?: never; path: { resourceType: string; resourceId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['TranslationGroupDto'] } } };
    };
  };
  '/v2/translations/master-json': {
    get: {
      parameters: { query?: { locale?: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['MasterJsonDto'] } } };
    };
  };
  '/v2/translations/master-json/upload': {
    post: {
      parameters: { query?: never };
      requestBody: {
        content: {
          'application/json': components['schemas']['UploadMasterJsonDto'];
          'multipart/form-data': components['schemas']['UploadMasterJsonDto'];
        };
      };
      responses: { 200: { content: { 'application/json': components['schemas']['ImportedMasterJsonDto'] } } };
    };
  };
  '/v2/translations/upload': {
    post: {
      parameters: { query?: never };
      requestBody: {
        content: {
          'application/json': components['schemas']['UploadTranslationsDto'];
          'multipart/form-data': components['schemas']['UploadTranslationsDto'];
        };
      };
      responses: { 200: { content: { 'application/json': components['schemas']['UploadedTranslationsDto'] } } };
    };
  };
  '/v2/translations/{resourceType}/{resourceId}/{locale}': {
    get: {
      parameters: { query?: never; path: { resourceType: string; resourceId: string; locale: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['TranslationDto'] } } };
    };
    delete: {
      parameters: { query?: never; path: { resourceType: string; resourceId: string; locale: string } };
      responses: { 204: { content?: never } };
    };
  };
  '/v2/workflows': {
    get: {
      parameters: {
        query?: {
          limit?: number;
          offset?: number;
          orderBy?: 'createdAt' | 'updatedAt' | 'name' | 'lastTriggeredAt';
          orderDirection?: 'ASC' | 'DESC';
          query?: string;
          tags?: string[];
          status?: ('ACTIVE' | 'INACTIVE' | 'ERROR')[];
        };
      };
      responses: { 200: { content: { 'application/json': components['schemas']['WorkflowListDto'] } } };
    };
    post: {
      parameters: { query?: never };
      requestBody: { content: { 'application/json': components['schemas']['CreateWorkflowDto'] } };
      responses: { 201: { content: { 'application/json': components['schemas']['WorkflowDto'] } } };
    };
  };
  '/v2/workflows/statistics': {
    get: {
      parameters: { query?: { after?: string; before?: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['WorkflowStatisticsListDto'] } } };
    };
  };
  '/v2/workflows/{workflowId}': {
    get: {
      parameters: { query?: never; path: { workflowId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['WorkflowDto'] } } };
    };
    put: {
      parameters: { query?: never; path: { workflowId: string } };
      requestBody: { content: { 'application/json': components['schemas']['UpdateWorkflowDto'] } };
      responses: { 200: { content: { 'application/json': components['schemas']['WorkflowDto'] } } };
    };
    delete: { parameters: { query?: never; path: { workflowId: string } }; responses: { 204: { content?: never } } };
  };
  '/v2/workflows/{workflowId}/step/{stepId}/preview': {
    post: {
      parameters: { query?: never; path: { workflowId: string; stepId: string } };
      requestBody: { content: { 'application/json': components['schemas']['PreviewStepDto'] } };
      responses: { 201: { content: { 'application/json': components['schemas']['StepPreviewDto'] } } };
    };
  };
  '/v2/workflows/{workflowId}/versions': {
    get: {
      parameters: { query?: { limit?: number; before?: number }; path: { workflowId: string } };
      responses: { 200: { content: { 'application/json': components['schemas']['WorkflowVersionListDto'] } } };
    };
  };
  '/v2/workflows/{workflowId}/versions/{version}': {
    get: {
      parameters: { query?: never; path: { workflowId: string; version: number } };
      responses: { 200: { content: { 'application/json': components['schemas']['WorkflowVersionDetailDto'] } } };
    };
  };
  '/v2/workflows/{workflowId}/versions/{version}/restore': {
    post: {
      parameters: { query?: never; path: { workflowId: string; version: number } };
      responses: { 200: { content: { 'application/json': components['schemas']['WorkflowDto'] } } };
    };
  };
}
export interface components {
  schemas: {
    AccountHealthDto: {
      state: 'closed' | 'open' | 'paused';
      since: string | null;
      pausedUntil: string | null;
      lastError: string | null;
      lastErrorAt: string | null;
      lastErrorRecovered: boolean;
    };
    AcknowledgedDto: { acknowledged: boolean; status?: string };
    ActivityFilterDto: {
      status?: ('in_flight' | 'in_doubt' | 'failed' | 'delivered' | 'skipped')[];
      channel?: ('in_app' | 'email' | 'sms' | 'chat' | 'push')[];
      workflowId?: string[];
      providerId?: string[];
      reason?: string;
      subscriber?: string;
      topicKey?: string;
      transactionId?: string[];
      severity?: ('high' | 'medium' | 'low' | 'none')[];
      after?: string;
      before?: string;
      payload?: string;
    };
    ActivityGroupsDto: { searched: number | null; isBounded: boolean; data: components['schemas']['ErrorGroupDto'][] };
    ActivityListDto: {
      searched: number | null;
      isBounded: boolean;
      data: components['schemas']['ActivityRowDto'][];
      hasMore: boolean;
      next: string | null;
    };
    ActivityRecipientDto: { _id: string; subscriberId: string; name: string | null; email: string | null };
    ActivityRowDto: {
      _id: string;
      createdAt: string;
      transactionId: string | null;
      severity: 'high' | 'medium' | 'low' | 'none';
      outcome: 'in_flight' | 'in_doubt' | 'failed' | 'delivered' | 'skipped';
      workflow: components['schemas']['ActivityWorkflowDto'] | null;
      subscriber: components['schemas']['ActivityRecipientDto'] | null;
      topicKeys: string[];
      steps: components['schemas']['ActivityStepDto'][];
    };
    ActivityStepDto: {
      _id: string;
      stepId: string;
      type: 'in_app' | 'email' | 'sms' | 'chat' | 'push';
      outcome: 'in_flight' | 'in_doubt' | 'failed' | 'delivered' | 'skipped';
      status: 'pending' | 'queued' | 'running' | 'completed' | 'failed' | 'delayed' | 'canceled' | 'merged' | 'skipped';
      providerId: string | null;
      reason: string | null;
      endedAt: string | null;
    };
    ActivitySubscriberDto: {
      _id: string;
      subscriberId: string;
      firstName?: string;
      lastName?: string;
      email?: string;
      phone?: string;
    };
    ActivityTemplateDto: {
      _id?: string;
      name: string;
      origin?: 'platform-cloud' | 'platform-cloud-v1' | 'external';
      triggers: components['schemas']['NotificationTriggerDto'][];
    };
    ActivityTopicDto: { _topicId: string; topicKey: string };
    ActivityWorkflowDto: { _id: string; workflowId: string; name: string };
    AllPreferenceDto: { enabled?: boolean; readOnly?: boolean };
    ApiKeyDto: {
      _id: string;
      _environmentId: string;
      name: string;
      prefix: string;
      scope: 'admin' | 'full' | 'read' | 'trigger';
      expiresAt?: string;
      allowedAddresses?: string[];
      createdAt: string;
      lastUsedAt?: string;
      revokedAt?: string;
    };
    AuditActorDto: {
      type: 'key' | 'cli' | 'operator' | 'setup' | 'person' | 'system';
      keyId?: string;
      keyPrefix?: string;
    };
    AuditLogEntryDto: {
      _id: string;
      _organizationId: string;
      _environmentId: string;
      action: string;
      actor: components['schemas']['AuditActorDto'];
      resource: components['schemas']['AuditedResourceDto'];
      before?: { [key: string]: unknown };
      after?: { [key: string]: unknown };
      requestId?: string;
      createdAt: string;
    };
    AuditLogListDto: {
      next: string | null;
      previous: string | null;
      totalCount: number;
      totalCountCapped: boolean;
      data: components['schemas']['AuditLogEntryDto'][];
    };
    AuditedResourceDto: {
      type:
        | 'api_key'
        | 'bulk_action'
        | 'channel_connection'
        | 'channel_endpoint'
        | 'context'
        | 'environment'
        | 'environment_variable'
        | 'hold'
        | 'inbox_secret'
        | 'integration'
        | 'layout'
        | 'mirror'
        | 'organization'
        | 'publish'
        | 'subscriber'
        | 'suppression'
        | 'tenant'
        | 'translation'
        | 'trigger'
        | 'webhook_endpoint'
        | 'workflow';
      id: string;
    };
    AuthDto: {
      accessToken: string;
      refreshToken?: string;
      /** Format: date-time */
      expiresAt?: string;
      /** Format: date-time */
      refreshTokenExpiresAt?: string;
    };
    AuthoringNameDto: { name: string; group: string; description: string; example: string; result: string };
    AuthoringOperatorDto: { name: string; description: string; example: { [key: string]: unknown }; result: boolean };
    BacklogDto: { due: number; delayed: number; oldestDueAt: string | null; lagSeconds: number };
    BlockerDto: {
      stepId?: string;
      rule:
        | 'workflow'
        | 'limits'
        | 'payload'
        | 'previous_steps'
        | 'hold'
        | 'conditions'
        | 'skip'
        | 'runIf'
        | 'preferences'
        | 'schedule'
        | 'timing'
        | 'integration'
        | 'content'
        | 'address'
        | 'suppression'
        | 'provider';
      reason: string;
      action: string;
    };
    BulkActionDto: {
      _id: string;
      _environmentId: string;
      action: 'replay' | 'cancel';
      state: 'planned' | 'running' | 'stopped' | 'done';
      selected: number;
      count: number;
      notifications: number;
      mayBeDuplicates: number;
      duplicateSample: string[];
      hasMore: boolean;
      perSecond: number;
      done: number;
      unchanged: number;
      unchangedReasons?: components['schemas']['UnchangedItemsDto'][];
      failed: number;
      failures: number;
      lastError?: string;
      /** Format: date-time */
      nextAt?: string;
      createdAt: string;
      /** Format: date-time */
      expiresAt?: string;
      startedAt?: string;
      endedAt?: string;
    };
    ChangeCountsDto: { added: number; modified: number; deleted: number; unchanged: number };
    ChannelChangesDto: {
      in_app?: boolean;
      email?: boolean;
      sms?: boolean;
      chat?: boolean;
      push?: boolean;
      /** @deprecated */
      tool?: boolean;
    };
    ChannelConnectionDto: {
      identifier: string;
      channel: 'in_app' | 'email' | 'sms' | 'chat' | 'push' | null;
      providerId: string | null;
      integrationIdentifier: string | null;
      subscriberId: string | null;
      contextKeys: string[];
      workspace: components['schemas']['WorkspaceDto'];
      auth: components['schemas']['AuthDto'];
      createdAt: string;
      updatedAt: string;
    };
    ChannelConnectionListDto: {
      next: string | null;
      previous: string | null;
      totalCount: number;
      totalCountCapped: boolean;
      data: components['schemas']['ChannelConnectionDto'][];
    };
    ChannelCredentialsDto: {
      webhookUrl?: string;
      channel?: string;
      deviceTokens?: string[];
      alertUid?: string;
      title?: string;
      imageUrl?: string;
      state?: string;
      externalUrl?: string;
    };
    ChannelEndpointDto: {
      identifier: string;
      channel: 'in_app' | 'email' | 'sms' | 'chat' | 'push' | null;
      providerId: string | null;
      integrationIdentifier: string | null;
      connectionIdentifier: string | null;
      subscriberId: string | null;
      contextKeys: string[];
      type:
        | 'slack_channel'
        | 'slack_user'
        | 'ms_teams_channel'
        | 'ms_teams_user'
        | 'telegram_chat'
        | 'phone'
        | 'webhook';
      endpoint: { [key: string]: unknown };
      createdAt: string;
      updatedAt: string;
    };
    ChannelEndpointListDto: {
      next: string | null;
      previous: string | null;
      totalCount: number;
      totalCountCapped: boolean;
      data: components['schemas']['ChannelEndpointDto'][];
    };
    ChannelFlagsDto: { in_app?: boolean; email?: boolean; sms?: boolean; chat?: boolean; push?: boolean };
    ChannelOverviewDto: {
      channel: 'in_app' | 'email' | 'sms' | 'chat' | 'push';
      totals: components['schemas']['OverviewTotalsDto'];
      difference: number;
      backlog: components['schemas']['BacklogDto'];
    };
    ChannelPreferenceDto: { enabled?: boolean };
    ChannelPreferencesDto: {
      in_app?: components['schemas']['ChannelPreferenceDto'];
      email?: components['schemas']['ChannelPreferenceDto'];
      sms?: components['schemas']['ChannelPreferenceDto'];
      chat?: components['schemas']['ChannelPreferenceDto'];
      push?: components['schemas']['ChannelPreferenceDto'];
    };
    ChannelSettingsDto: {
      providerId:
        | 'slack'
        | 'discord'
        | 'msteams'
        | 'mattermost'
        | 'ryver'
        | 'zulip'
        | 'grafana-on-call'
        | 'getstream'
        | 'rocket-chat'
        | 'whatsapp-business'
        | 'chat-webhook'
        | 'telegram'
        | 'platform-slack'
        | 'fcm'
        | 'apns'
        | 'expo'
        | 'one-signal'
        | 'pushpad'
        | 'push-webhook'
        | 'pusher-beams'
        | 'appio';
      integrationIdentifier?: string;
      credentials: components['schemas']['ChannelCredentialsDto'];
      _integrationId: string;
    };
    /** Chat */
    ChatControlsDto: {
      /** Body */
      body: string;
      /** Editor */
      editorType?: string;
      /** Run if */
      runIf?: { [key: string]: unknown } | null;
      /** Skip */
      skip?: { [key: string]: unknown } | null;
    };
    ChatStepInputDto: {
      /** Format: uuid */
      _id?: string;
      name: string;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'chat';
      stepId?: string;
      controlValues?: components['schemas']['ChatControlsDto'] | null;
      filters?: components['schemas']['StepFilterInputDto'][];
      active?: boolean;
      shouldStopOnFail?: boolean;
      variants?: components['schemas']['StepVariantDto'][];
    };
    ComparedResourceDto: { id: string; name: string; updatedAt?: string };
    ComparedRunDto: {
      _id: string;
      createdAt: string;
      subscriberId?: string;
      workflowVersion: number;
      steps: components['schemas']['ComparedStepDto'][];
    };
    ComparedStepDto: {
      stepId: string;
      type: 'in_app' | 'email' | 'sms' | 'chat' | 'push' | 'digest' | 'trigger' | 'delay' | 'throttle' | 'custom';
      status: 'pending' | 'queued' | 'running' | 'completed' | 'failed' | 'delayed' | 'canceled' | 'merged' | 'skipped';
      providerId:
        | 'emailjs'
        | 'mailgun'
        | 'mailjet'
        | 'mandrill'
        | 'nodemailer'
        | 'postmark'
        | 'sendgrid'
        | 'sendinblue'
        | 'ses'
        | 'netcore'
        | 'infobip-email'
        | 'resend'
        | 'plunk'
        | 'mailersend'
        | 'mailtrap'
        | 'outlook365'
        | 'platform-email'
        | 'sparkpost'
        | 'email-webhook'
        | 'braze'
        | 'clickatell'
        | 'nexmo'
        | 'plivo'
        | 'sms77'
        | 'sms-central'
        | 'sns'
        | 'telnyx'
        | 'twilio'
        | 'gupshup'
        | 'firetext'
        | 'infobip-sms'
        | 'burst-sms'
        | 'bulk-sms'
        | 'isend-sms'
        | 'forty-six-elks'
        | 'kannel'
        | 'maqsam'
        | 'termii'
        | 'africas-talking'
        | 'platform-sms'
        | 'sendchamp'
        | 'generic-sms'
        | 'clicksend'
        | 'bandwidth'
        | 'messagebird'
        | 'simpletexting'
        | 'azure-sms'
        | 'ring-central'
        | 'brevo-sms'
        | 'eazy-sms'
        | 'mobishastra'
        | 'afro-message'
        | 'unifonic'
        | 'smsmode'
        | 'imedia'
        | 'sinch'
        | 'fcm'
        | 'apns'
        | 'expo'
        | 'one-signal'
        | 'pushpad'
        | 'push-webhook'
        | 'pusher-beams'
        | 'appio'
        | 'platform'
        | 'slack'
        | 'discord'
        | 'msteams'
        | 'mattermost'
        | 'ryver'
        | 'zulip'
        | 'grafana-on-call'
        | 'getstream'
        | 'rocket-chat'
        | 'whatsapp-business'
        | 'chat-webhook'
        | 'telegram'
        | 'platform-slack';
      milliseconds?: number;
    };
    CompletePreferenceLayerDto: {
      all: components['schemas']['AllPreferenceDto'];
      channels: components['schemas']['ChannelPreferencesDto'];
    };
    ConfigurationsDto: {
      inboundWebhookEnabled?: boolean;
      inboundWebhookSigningKey?: string;
      inDoubt?: 'resend' | 'hold';
      rateLimit?: number;
    };
    CreateApiKeyDto: {
      name?: string;
      scope?: 'admin' | 'full' | 'read' | 'trigger';
      /** Format: date-time */
      expiresAt?: string;
      /**
       * @example [
       *       "203.0.113.7",
       *       "2001:db8::/32"
       *     ]
       */
      allowedAddresses?: string[];
    };
    CreateBulkActionDto: {
      action: 'replay' | 'cancel';
      ids?: string[];
      filter?: components['schemas']['ActivityFilterDto'];
      statuses?: ('failed' | 'canceled')[];
      /** @default 100 */
      perSecond: number;
    };
    CreateEnvironmentDto: {
      name: string;
      /** Format: uuid */
      parentId?: string | null;
      color?: string;
      type?: 'dev' | 'prod';
      kind?: 'development' | 'production' | 'sandbox';
      sandboxRedirect?: components['schemas']['SandboxRedirectDto'] | null;
      withoutIntegration?: 'fail' | 'hold';
      dialect?: 'spec' | 'novu' | null;
      allowRecipientOverrides?: boolean;
      allowRaisedPriority?: boolean;
      /**
       * @example [
       *       "https://app.example.com"
       *     ]
       */
      allowedOrigins?: string[] | null;
      inboxSignatures?: 'required' | 'optional' | null;
      eventLog?: boolean;
      tracking?: components['schemas']['GivenTrackingDto'];
      oneClickUnsubscribe?: boolean;
      defaultLocale?: string;
    };
    CreateEnvironmentVariableDto: {
      key: string;
      type?: 'string';
      isSecret?: boolean;
      values?: components['schemas']['EnvironmentVariableValueInput'][];
    };
    CreateHoldDto: { reason?: string; target: 'integration' | 'channel' | 'workflow' | 'environment'; id: string };
    CreateIntegrationDto: {
      name?: string;
      identifier?: string;
      /** Format: uuid */
      _environmentId?: string;
      credentials?: components['schemas']['CredentialsDto'];
      active?: boolean;
      check?: boolean;
      conditions?: components['schemas']['StepFilterInputDto'][];
      configurations?: components['schemas']['ConfigurationsDto'];
      providerId: string;
      channel: 'in_app' | 'email' | 'sms' | 'chat' | 'push';
    };
    CreateLayoutDto: { layoutId: string; name: string; __source?: string };
    CreateSessionDto: { apiKey?: string; token?: string };
    CreateSubscriberDto: {
      firstName?: string | null;
      lastName?: string | null;
      /** Format: email */
      email?: string | null;
      phone?: string | null;
      avatar?: string | null;
      timezone?: string | null;
      locale?: string | null;
      data?: { [key: string]: unknown } | null;
      subscriberId: string;
    };
    CreateSuppressionDto: { channel: 'email' | 'sms' | 'chat'; address: string };
    CreateTopicDto: { key: string; name?: string };
    CreateTopicSubscriptionsDto: {
      subscriptions?: (string | components['schemas']['NewTopicSubscriptionDto'])[];
      /** @deprecated */
      subscriberIds?: string[];
      name?: string;
      /**
       * @example {
       *       "region": "eu"
       *     }
       */
      context?: { [key: string]: unknown };
      preferences?: (string | components['schemas']['NewSubscriptionPreferenceDto'])[];
    };
    CreateTranslationDto: {
      resourceId: string;
      resourceType: 'workflow' | 'layout';
      locale: string;
      /**
       * @example {
       *       "cart": {
       *         "title": "Your cart, {{ subscriber.firstName }}"
       *       }
       *     }
       */
      content: { [key: string]: unknown };
    };
    CreateWebhookEndpointDto: {
      url: string;
      description?: string | null;
      /**
       * @example [
       *       "message.sent",
       *       "message.failed"
       *     ]
       */
      events?:
        | (
            | 'message.sent'
            | 'message.delivered'
            | 'message.failed'
            | 'message.seen'
            | 'message.read'
            | 'message.unread'
            | 'message.archived'
            | 'message.unarchived'
            | 'message.snoozed'
            | 'message.unsnoozed'
            | 'message.deleted'
            | 'workflow.created'
            | 'workflow.updated'
            | 'workflow.published'
            | 'workflow.deleted'
            | 'preference.updated'
            | 'integration.unavailable'
            | 'integration.available'
            | 'webhook_endpoint.disabled'
          )[]
        | null;
      channels?: ('in_app' | 'email' | 'sms' | 'chat' | 'push')[] | null;
      workflows?: string[] | null;
    };
    CreateWorkflowDto: {
      name: string;
      description?: string | null;
      tags?: string[];
      active?: boolean;
      validatePayload?: boolean;
      escapeHtml?: boolean;
      whileRetrying?: 'continue' | 'wait';
      payloadSchema?: { [key: string]: unknown } | null;
      preferences?: components['schemas']['WorkflowPreferencesInputDto'];
      severity?: 'high' | 'medium' | 'low' | 'none';
      origin?: 'platform-cloud' | 'platform-cloud-v1' | 'external';
      steps: components['schemas']['WorkflowStepInputDto'][];
      workflowId: string;
      __source?: string;
    };
    CreatedApiKeyDto: {
      _id: string;
      _environmentId: string;
      name: string;
      prefix: string;
      scope: 'admin' | 'full' | 'read' | 'trigger';
      expiresAt?: string;
      allowedAddresses?: string[];
      createdAt: string;
      lastUsedAt?: string;
      revokedAt?: string;
      key: string;
    };
    CreatedWebhookEndpointDto: {
      _id: string;
      _environmentId: string;
      url: string;
      description?: string;
      events:
        | (
            | 'message.sent'
            | 'message.delivered'
            | 'message.failed'
            | 'message.seen'
            | 'message.read'
            | 'message.unread'
            | 'message.archived'
            | 'message.unarchived'
            | 'message.snoozed'
            | 'message.unsnoozed'
            | 'message.deleted'
            | 'workflow.created'
            | 'workflow.updated'
            | 'workflow.published'
            | 'workflow.deleted'
            | 'preference.updated'
            | 'integration.unavailable'
            | 'integration.available'
            | 'webhook_endpoint.disabled'
          )[]
        | null;
      channels: ('in_app' | 'email' | 'sms' | 'chat' | 'push')[] | null;
      workflows: string[] | null;
      active: boolean;
      disabledReason?: string;
      /** Format: date-time */
      disabledAt?: string;
      failures: number;
      /** Format: date-time */
      failingSince?: string;
      /** Format: date-time */
      pausedUntil?: string;
      /** Format: date-time */
      lastDeliveredAt?: string;
      /** Format: date-time */
      previousSecretUntil?: string;
      waitingDeliveries: number;
      waitingEntries: number;
      createdAt: string;
      updatedAt: string;
      secret: string;
    };
    CredentialsDto: {
      apiKey?: string;
      user?: string;
      secretKey?: string;
      domain?: string;
      password?: string;
      host?: string;
      port?: string;
      region?: string;
      accountSid?: string;
      messageProfileId?: string;
      token?: string;
      from?: string;
      senderName?: string;
      projectName?: string;
      applicationId?: string;
      clientId?: string;
      baseUrl?: string;
      webhookUrl?: string;
      redirectUrl?: string;
      serviceAccount?: string;
      ipPoolName?: string;
      apiKeyRequestHeader?: string;
      secretKeyRequestHeader?: string;
      idPath?: string;
      datePath?: string;
      apiToken?: string;
      authenticationTokenKey?: string;
      instanceId?: string;
      alertUid?: string;
      title?: string;
      imageUrl?: string;
      state?: string;
      externalLink?: string;
      channelId?: string;
      phoneNumberIdentification?: string;
      accessKey?: string;
      appSid?: string;
      senderId?: string;
      AppIOBaseUrl?: string;
      apiURL?: string;
      appID?: string;
      servicePlanId?: string;
      contentType?: string;
      signingSecret?: string;
      tenantId?: string;
      apiVersion?: string;
      secure?: boolean;
      requireTls?: boolean;
      ignoreTls?: boolean;
      hmac?: boolean;
      authenticateByToken?: boolean;
      tlsOptions?: { [key: string]: unknown };
    };
    /** Custom */
    CustomControlsDto: {
      /** Run if */
      runIf?: { [key: string]: unknown } | null;
      /** Skip */
      skip?: { [key: string]: unknown } | null;
    } & { [key: string]: unknown };
    CustomStepInputDto: {
      /** Format: uuid */
      _id?: string;
      name: string;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'custom';
      stepId?: string;
      controlValues?: components['schemas']['CustomControlsDto'] | null;
      filters?: components['schemas']['StepFilterInputDto'][];
      active?: boolean;
      shouldStopOnFail?: boolean;
      variants?: components['schemas']['StepVariantDto'][];
    };
    DayScheduleDto: { isEnabled: boolean; hours?: components['schemas']['TimeRangeDto'][] };
    /** Delay */
    DelayControlsDto: {
      /**
       * Type
       * @default regular
       * @enum {string}
       */
      type: 'regular' | 'timed' | 'scheduled' | 'dynamic' | 'until_read';
      /**
       * Amount
       * @default 5
       */
      amount: number;
      /**
       * Unit
       * @default minutes
       * @enum {string}
       */
      unit: 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks' | 'months';
      /** Cron */
      cron?: string;
      /** Times */
      timed?: {
        /** Time of day */
        atTime?: string;
        /** Days of the week */
        weekDays?: ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[];
        /** Days of the month */
        monthDays?: (string | number)[];
        /**
         * Ordinal
         * @enum {string}
         */
        ordinal?: '1' | '2' | '3' | '4' | '5' | 'last';
        /**
         * Day
         * @enum {string}
         */
        ordinalValue?:
          | 'day'
          | 'weekday'
          | 'weekend'
          | 'monday'
          | 'tuesday'
          | 'wednesday'
          | 'thursday'
          | 'friday'
          | 'saturday'
          | 'sunday';
        /**
         * Monthly
         * @enum {string}
         */
        monthlyType?: 'each' | 'on';
      };
      /** Path of the date */
      delayPath?: string;
      /** Path */
      dynamicKey?: string;
      /** Step */
      step?: string;
      /**
       * Extend to the schedule
       * @default false
       */
      extendToSchedule: boolean;
      /** Run if */
      runIf?: { [key: string]: unknown } | null;
      /** Skip */
      skip?: { [key: string]: unknown } | null;
    };
    DelayStepInputDto: {
      /** Format: uuid */
      _id?: string;
      name: string;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'delay';
      stepId?: string;
      controlValues?: components['schemas']['DelayControlsDto'] | null;
      filters?: components['schemas']['StepFilterInputDto'][];
      active?: boolean;
      shouldStopOnFail?: boolean;
      variants?: components['schemas']['StepVariantDto'][];
    };
    DeleteTopicSubscriptionsDto: {
      subscriptions?: (string | components['schemas']['EndedTopicSubscriptionDto'])[];
      /** @deprecated */
      subscriberIds?: string[];
    };
    DeletedEnvironmentDto: { _id: string; name: string; deletedAt: string };
    DiffEnvironmentsDto: {
      /** Format: uuid */
      sourceEnvironmentId?: string;
    };
    DiffSummaryDto: { totalEntities: number; totalChanges: number; hasChanges: boolean };
    /** Digest */
    DigestControlsDto: {
      /**
       * Type
       * @default regular
       * @enum {string}
       */
      type: 'regular' | 'backoff' | 'timed';
      /**
       * Amount
       * @default 5
       */
      amount: number;
      /**
       * Unit
       * @default minutes
       * @enum {string}
       */
      unit: 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks' | 'months';
      /** Cron */
      cron?: string;
      /** Times */
      timed?: {
        /** Time of day */
        atTime?: string;
        /** Days of the week */
        weekDays?: ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[];
        /** Days of the month */
        monthDays?: (string | number)[];
        /**
         * Ordinal
         * @enum {string}
         */
        ordinal?: '1' | '2' | '3' | '4' | '5' | 'last';
        /**
         * Day
         * @enum {string}
         */
        ordinalValue?:
          | 'day'
          | 'weekday'
          | 'weekend'
          | 'monday'
          | 'tuesday'
          | 'wednesday'
          | 'thursday'
          | 'friday'
          | 'saturday'
          | 'sunday';
        /**
         * Monthly
         * @enum {string}
         */
        monthlyType?: 'each' | 'on';
      };
      /** Key */
      digestKey?: string;
      /** Look-back window */
      lookBackWindow?: {
        /**
         * Amount
         * @default 5
         */
        amount: number;
        /**
         * Unit
         * @default minutes
         * @enum {string}
         */
        unit: 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks' | 'months';
      };
      /** Back off */
      backoff?: boolean;
      /** Look-back amount */
      backoffAmount?: number;
      /**
       * Look-back unit
       * @enum {string}
       */
      backoffUnit?: 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks' | 'months';
      /** Update mode */
      updateMode?: boolean;
      /**
       * Extend to the schedule
       * @default false
       */
      extendToSchedule: boolean;
      /** Run if */
      runIf?: { [key: string]: unknown } | null;
      /** Skip */
      skip?: { [key: string]: unknown } | null;
    };
    DigestStepInputDto: {
      /** Format: uuid */
      _id?: string;
      name: string;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'digest';
      stepId?: string;
      controlValues?: components['schemas']['DigestControlsDto'] | null;
      filters?: components['schemas']['StepFilterInputDto'][];
      active?: boolean;
      shouldStopOnFail?: boolean;
      variants?: components['schemas']['StepVariantDto'][];
    };
    DigestTimedDto: {
      atTime?: string;
      weekDays?: ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[];
      monthDays?: number[];
      ordinal?: '1' | '2' | '3' | '4' | '5' | 'last';
      ordinalValue?:
        | 'day'
        | 'weekday'
        | 'weekend'
        | 'monday'
        | 'tuesday'
        | 'wednesday'
        | 'thursday'
        | 'friday'
        | 'saturday'
        | 'sunday';
      monthlyType?: 'each' | 'on';
      cronExpression?: string;
      untilDate?: string;
    };
    DryRunContentDto: {
      to?: string[];
      cc?: string[];
      bcc?: string[];
      subject?: string;
      preheader?: string;
      html?: string;
      text?: string;
      title?: string;
      body?: string;
      avatar?: string;
      cta?: { [key: string]: unknown };
      data?: { [key: string]: unknown };
      targets?: components['schemas']['DryRunTargetDto'][];
    };
    DryRunDetailDto: {
      status: 'Success' | 'Warning' | 'Failed' | 'Pending' | 'Queued' | 'ReadConfirmation';
      detail: string;
      source?: 'Credentials' | 'Internal' | 'Payload' | 'Webhook';
      providerId?:
        | 'emailjs'
        | 'mailgun'
        | 'mailjet'
        | 'mandrill'
        | 'nodemailer'
        | 'postmark'
        | 'sendgrid'
        | 'sendinblue'
        | 'ses'
        | 'netcore'
        | 'infobip-email'
        | 'resend'
        | 'plunk'
        | 'mailersend'
        | 'mailtrap'
        | 'outlook365'
        | 'platform-email'
        | 'sparkpost'
        | 'email-webhook'
        | 'braze'
        | 'clickatell'
        | 'nexmo'
        | 'plivo'
        | 'sms77'
        | 'sms-central'
        | 'sns'
        | 'telnyx'
        | 'twilio'
        | 'gupshup'
        | 'firetext'
        | 'infobip-sms'
        | 'burst-sms'
        | 'bulk-sms'
        | 'isend-sms'
        | 'forty-six-elks'
        | 'kannel'
        | 'maqsam'
        | 'termii'
        | 'africas-talking'
        | 'platform-sms'
        | 'sendchamp'
        | 'generic-sms'
        | 'clicksend'
        | 'bandwidth'
        | 'messagebird'
        | 'simpletexting'
        | 'azure-sms'
        | 'ring-central'
        | 'brevo-sms'
        | 'eazy-sms'
        | 'mobishastra'
        | 'afro-message'
        | 'unifonic'
        | 'smsmode'
        | 'imedia'
        | 'sinch'
        | 'fcm'
        | 'apns'
        | 'expo'
        | 'one-signal'
        | 'pushpad'
        | 'push-webhook'
        | 'pusher-beams'
        | 'appio'
        | 'platform'
        | 'slack'
        | 'discord'
        | 'msteams'
        | 'mattermost'
        | 'ryver'
        | 'zulip'
        | 'grafana-on-call'
        | 'getstream'
        | 'rocket-chat'
        | 'whatsapp-business'
        | 'chat-webhook'
        | 'telegram'
        | 'platform-slack';
      raw?: { [key: string]: unknown } | string;
    };
    DryRunDto: {
      recipientCount: number;
      recipientCountCapped?: boolean;
      recipients: components['schemas']['DryRunRecipientDto'][];
      truncated?: boolean;
      alreadyAccepted?: boolean;
    };
    DryRunProviderDto: {
      identifier: string;
      providerId:
        | 'emailjs'
        | 'mailgun'
        | 'mailjet'
        | 'mandrill'
        | 'nodemailer'
        | 'postmark'
        | 'sendgrid'
        | 'sendinblue'
        | 'ses'
        | 'netcore'
        | 'infobip-email'
        | 'resend'
        | 'plunk'
        | 'mailersend'
        | 'mailtrap'
        | 'outlook365'
        | 'platform-email'
        | 'sparkpost'
        | 'email-webhook'
        | 'braze'
        | 'clickatell'
        | 'nexmo'
        | 'plivo'
        | 'sms77'
        | 'sms-central'
        | 'sns'
        | 'telnyx'
        | 'twilio'
        | 'gupshup'
        | 'firetext'
        | 'infobip-sms'
        | 'burst-sms'
        | 'bulk-sms'
        | 'isend-sms'
        | 'forty-six-elks'
        | 'kannel'
        | 'maqsam'
        | 'termii'
        | 'africas-talking'
        | 'platform-sms'
        | 'sendchamp'
        | 'generic-sms'
        | 'clicksend'
        | 'bandwidth'
        | 'messagebird'
        | 'simpletexting'
        | 'azure-sms'
        | 'ring-central'
        | 'brevo-sms'
        | 'eazy-sms'
        | 'mobishastra'
        | 'afro-message'
        | 'unifonic'
        | 'smsmode'
        | 'imedia'
        | 'sinch'
        | 'fcm'
        | 'apns'
        | 'expo'
        | 'one-signal'
        | 'pushpad'
        | 'push-webhook'
        | 'pusher-beams'
        | 'appio'
        | 'platform'
        | 'slack'
        | 'discord'
        | 'msteams'
        | 'mattermost'
        | 'ryver'
        | 'zulip'
        | 'grafana-on-call'
        | 'getstream'
        | 'rocket-chat'
        | 'whatsapp-business'
        | 'chat-webhook'
        | 'telegram'
        | 'platform-slack';
      name: string;
      health?: components['schemas']['IntegrationHealthDto'];
    };
    DryRunRecipientDto: {
      subscriberId: string;
      exists: boolean;
      topics?: string[];
      steps: components['schemas']['DryRunStepDto'][];
    };
    DryRunStepDto: {
      stepId: string;
      type: 'in_app' | 'email' | 'sms' | 'chat' | 'push' | 'digest' | 'delay' | 'throttle' | 'custom';
      outcome: 'would_send' | 'would_skip' | 'would_fail' | 'would_wait' | 'would_merge' | 'would_complete';
      why: string;
      until?: string;
      details: components['schemas']['DryRunDetailDto'][];
      rules?: components['schemas']['EvaluatedRuleDto'][];
      providers?: components['schemas']['DryRunProviderDto'][];
      content?: components['schemas']['DryRunContentDto'];
      contentOmitted?: boolean;
    };
    DryRunTargetDto: {
      identifier: string;
      providerId:
        | 'emailjs'
        | 'mailgun'
        | 'mailjet'
        | 'mandrill'
        | 'nodemailer'
        | 'postmark'
        | 'sendgrid'
        | 'sendinblue'
        | 'ses'
        | 'netcore'
        | 'infobip-email'
        | 'resend'
        | 'plunk'
        | 'mailersend'
        | 'mailtrap'
        | 'outlook365'
        | 'platform-email'
        | 'sparkpost'
        | 'email-webhook'
        | 'braze'
        | 'clickatell'
        | 'nexmo'
        | 'plivo'
        | 'sms77'
        | 'sms-central'
        | 'sns'
        | 'telnyx'
        | 'twilio'
        | 'gupshup'
        | 'firetext'
        | 'infobip-sms'
        | 'burst-sms'
        | 'bulk-sms'
        | 'isend-sms'
        | 'forty-six-elks'
        | 'kannel'
        | 'maqsam'
        | 'termii'
        | 'africas-talking'
        | 'platform-sms'
        | 'sendchamp'
        | 'generic-sms'
        | 'clicksend'
        | 'bandwidth'
        | 'messagebird'
        | 'simpletexting'
        | 'azure-sms'
        | 'ring-central'
        | 'brevo-sms'
        | 'eazy-sms'
        | 'mobishastra'
        | 'afro-message'
        | 'unifonic'
        | 'smsmode'
        | 'imedia'
        | 'sinch'
        | 'fcm'
        | 'apns'
        | 'expo'
        | 'one-signal'
        | 'pushpad'
        | 'push-webhook'
        | 'pusher-beams'
        | 'appio'
        | 'platform'
        | 'slack'
        | 'discord'
        | 'msteams'
        | 'mattermost'
        | 'ryver'
        | 'zulip'
        | 'grafana-on-call'
        | 'getstream'
        | 'rocket-chat'
        | 'whatsapp-business'
        | 'chat-webhook'
        | 'telegram'
        | 'platform-slack';
      devices?: number;
    };
    DuplicateLayoutDto: { name: string; layoutId?: string };
    EmailBlockDto: {
      type: 'button' | 'text';
      content: string;
      url?: string;
      styles?: components['schemas']['EmailBlockStylesDto'];
    };
    EmailBlockStylesDto: { textAlign?: 'center' | 'left' | 'right' };
    /** Email */
    EmailControlsDto: {
      /** Subject */
      subject: string;
      /** Preheader */
      preheader?: string;
      /** Body */
      body?: string | { [key: string]: unknown } | unknown[];
      /** Layout */
      layoutId?: string | null;
      /**
       * Editor
       * @enum {string}
       */
      editorType?: 'html' | 'block';
      /** From */
      from?: {
        /** Address */
        email?: string;
        /** Name */
        name?: string;
      };
      /** Reply to */
      replyTo?: string;
      /** Use the defaults of the provider */
      useProviderDefaults?: boolean;
      /**
       * Keep unsafe HTML
       * @default false
       */
      disableOutputSanitization: boolean;
      /** Run if */
      runIf?: { [key: string]: unknown } | null;
      /** Skip */
      skip?: { [key: string]: unknown } | null;
    };
    EmailStepInputDto: {
      /** Format: uuid */
      _id?: string;
      name: string;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'email';
      stepId?: string;
      controlValues?: components['schemas']['EmailControlsDto'] | null;
      filters?: components['schemas']['StepFilterInputDto'][];
      active?: boolean;
      shouldStopOnFail?: boolean;
      variants?: components['schemas']['StepVariantDto'][];
    };
    EndedTopicSubscriptionDto: { subscriberId?: string; identifier?: string };
    EnvironmentDiffDto: {
      sourceEnvironmentId: string;
      targetEnvironmentId: string;
      resources: components['schemas']['ResourceDiffDto'][];
      summary: components['schemas']['DiffSummaryDto'];
    };
    EnvironmentDto: {
      _id: string;
      name: string;
      _organizationId: string;
      identifier: string;
      type?: 'dev' | 'prod';
      kind: 'development' | 'production' | 'sandbox';
      sandboxRedirect: components['schemas']['SandboxRedirectDto'] | null;
      withoutIntegration: 'fail' | 'hold';
      color?: string;
      _parentId?: string;
      slug?: string;
      dialect: 'spec' | 'novu' | null;
      allowRecipientOverrides: boolean;
      allowRaisedPriority: boolean;
      /**
       * @example [
       *       "https://app.example.com"
       *     ]
       */
      allowedOrigins: string[] | null;
      inboxSignatures: 'required' | 'optional';
      eventLog: boolean;
      tracking: components['schemas']['TrackingDto'];
      oneClickUnsubscribe: boolean;
      defaultLocale: string;
      apiKeys?: components['schemas']['EnvironmentKeyDto'][];
      createdAt: string;
      updatedAt: string;
    };
    EnvironmentKeyDto: { key: string; _userId: string; hash?: string };
    EnvironmentVariableDto: {
      _id: string;
      _organizationId: string;
      key: string;
      type: 'string';
      isSecret: boolean;
      values: components['schemas']['EnvironmentVariableValueDto'][];
      createdAt: string;
      updatedAt: string;
    };
    EnvironmentVariableUsageDto: {
      workflows: components['schemas']['VariableWorkflowDto'][];
      layouts: components['schemas']['VariableLayoutDto'][];
    };
    EnvironmentVariableValueDto: { _environmentId: string; value: string };
    EnvironmentVariableValueInput: {
      /** Format: uuid */
      _environmentId: string;
      value: string;
    };
    ErasureReceiptDto: {
      id: string;
      subscriberIdHash: string;
      /** Format: date-time */
      erasedAt: string;
      counts: { [key: string]: unknown };
    };
    ErrorGroupDto: {
      reason: string | null;
      code: string | null;
      outcome: 'in_flight' | 'in_doubt' | 'failed' | 'delivered' | 'skipped';
      providerId: string | null;
      channel: 'in_app' | 'email' | 'sms' | 'chat' | 'push';
      count: number;
      people: number;
      reachedOtherwise: number;
      firstAt: string;
      lastAt: string;
      sampleNotificationId: string;
      isReplayed: boolean;
      recovered: number;
    };
    EvaluatedRuleDto: {
      rule:
        | 'workflow'
        | 'limits'
        | 'payload'
        | 'previous_steps'
        | 'hold'
        | 'conditions'
        | 'skip'
        | 'runIf'
        | 'preferences'
        | 'schedule'
        | 'timing'
        | 'integration'
        | 'content'
        | 'address'
        | 'suppression'
        | 'provider';
      passed: boolean;
      detail: string;
      values: { [key: string]: unknown };
    };
    EventLogDto: {
      data: components['schemas']['LogEntryDto'][];
      next: number;
      hasMore: boolean;
      firstSequence: number;
      lastSequence: number;
      isRecording: boolean;
    };
    ExecutionDetailDto: {
      _id: string;
      createdAt?: string;
      status: 'Success' | 'Warning' | 'Failed' | 'Pending' | 'Queued' | 'ReadConfirmation';
      detail: string;
      isRetry: boolean;
      isTest: boolean;
      providerId?:
        | 'emailjs'
        | 'mailgun'
        | 'mailjet'
        | 'mandrill'
        | 'nodemailer'
        | 'postmark'
        | 'sendgrid'
        | 'sendinblue'
        | 'ses'
        | 'netcore'
        | 'infobip-email'
        | 'resend'
        | 'plunk'
        | 'mailersend'
        | 'mailtrap'
        | 'outlook365'
        | 'platform-email'
        | 'sparkpost'
        | 'email-webhook'
        | 'braze'
        | 'clickatell'
        | 'nexmo'
        | 'plivo'
        | 'sms77'
        | 'sms-central'
        | 'sns'
        | 'telnyx'
        | 'twilio'
        | 'gupshup'
        | 'firetext'
        | 'infobip-sms'
        | 'burst-sms'
        | 'bulk-sms'
        | 'isend-sms'
        | 'forty-six-elks'
        | 'kannel'
        | 'maqsam'
        | 'termii'
        | 'africas-talking'
        | 'platform-sms'
        | 'sendchamp'
        | 'generic-sms'
        | 'clicksend'
        | 'bandwidth'
        | 'messagebird'
        | 'simpletexting'
        | 'azure-sms'
        | 'ring-central'
        | 'brevo-sms'
        | 'eazy-sms'
        | 'mobishastra'
        | 'afro-message'
        | 'unifonic'
        | 'smsmode'
        | 'imedia'
        | 'sinch'
        | 'fcm'
        | 'apns'
        | 'expo'
        | 'one-signal'
        | 'pushpad'
        | 'push-webhook'
        | 'pusher-beams'
        | 'appio'
        | 'platform'
        | 'slack'
        | 'discord'
        | 'msteams'
        | 'mattermost'
        | 'ryver'
        | 'zulip'
        | 'grafana-on-call'
        | 'getstream'
        | 'rocket-chat'
        | 'whatsapp-business'
        | 'chat-webhook'
        | 'telegram'
        | 'platform-slack';
      raw?: string | null;
      source: 'Credentials' | 'Internal' | 'Payload' | 'Webhook';
    };
    ExplainDto: {
      workflowId: string;
      /**
       * @example {
       *       "order": 42
       *     }
       */
      payload?: { [key: string]: unknown };
      /** Format: date-time */
      at?: string;
    };
    ExplanationDto: {
      subscriberId: string;
      workflowId: string;
      at: string;
      outcome: 'would_send' | 'would_wait' | 'would_not_send';
      blockers: components['schemas']['BlockerDto'][];
      rules: components['schemas']['EvaluatedRuleDto'][];
      steps: components['schemas']['DryRunStepDto'][];
      sent?: components['schemas']['SentAroundDto'];
    };
    FailedResourceDto: {
      resourceType: 'workflow' | 'layout' | 'translation';
      resourceId: string;
      resourceName: string;
      error: string;
    };
    FieldFilterPartDto: {
      field: string;
      value: string;
      operator:
        | 'LARGER'
        | 'SMALLER'
        | 'LARGER_EQUAL'
        | 'SMALLER_EQUAL'
        | 'EQUAL'
        | 'NOT_EQUAL'
        | 'ALL_IN'
        | 'ANY_IN'
        | 'NOT_IN'
        | 'BETWEEN'
        | 'NOT_BETWEEN'
        | 'LIKE'
        | 'NOT_LIKE'
        | 'IN';
      on: 'subscriber' | 'payload' | 'steps';
    };
    GivenTrackingDto: { opens?: boolean; clicks?: boolean };
    HoldDto: {
      _id: string;
      _environmentId: string;
      target: 'integration' | 'channel' | 'workflow' | 'environment' | 'missing_integration';
      id: string;
      name: string;
      reason: string;
      setBy: string;
      heldBy: string;
      /** Format: date-time */
      createdAt: string;
      state: 'held' | 'resuming';
      /** Format: date-time */
      resumedAt?: string;
      waitingSteps: number;
    };
    HoldListDto: { data: components['schemas']['HoldDto'][] };
    ImportedMasterJsonDto: { success: boolean; message: string; successful?: string[]; failed?: string[] };
    /** In-app */
    InAppControlsDto: {
      /** Subject */
      subject?: string;
      /** Body */
      body?: string;
      /** Avatar */
      avatar?: string;
      /** Primary action */
      primaryAction?: {
        /** Label */
        label: string;
        /** Redirect */
        redirect?: {
          /** Address */
          url: string;
          /**
           * Target
           * @enum {string}
           */
          target?: '_self' | '_blank' | '_parent' | '_top' | '_unfencedTop';
        };
        /** Result */
        resultContent?: string;
      };
      /** Secondary action */
      secondaryAction?: {
        /** Label */
        label: string;
        /** Redirect */
        redirect?: {
          /** Address */
          url: string;
          /**
           * Target
           * @enum {string}
           */
          target?: '_self' | '_blank' | '_parent' | '_top' | '_unfencedTop';
        };
        /** Result */
        resultContent?: string;
      };
      /** Redirect */
      redirect?: {
        /** Address */
        url: string;
        /**
         * Target
         * @enum {string}
         */
        target?: '_self' | '_blank' | '_parent' | '_top' | '_unfencedTop';
      };
      /** Data */
      data?: Record<string, never>;
      /**
       * Keep unsafe HTML
       * @default false
       */
      disableOutputSanitization: boolean;
      /** Run if */
      runIf?: { [key: string]: unknown } | null;
      /** Skip */
      skip?: { [key: string]: unknown } | null;
    };
    InAppStepInputDto: {
      /** Format: uuid */
      _id?: string;
      name: string;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'in_app';
      stepId?: string;
      controlValues?: components['schemas']['InAppControlsDto'] | null;
      filters?: components['schemas']['StepFilterInputDto'][];
      active?: boolean;
      shouldStopOnFail?: boolean;
      variants?: components['schemas']['StepVariantDto'][];
    };
    InboxSecretDto: {
      secret: string;
      /** Format: date-time */
      createdAt: string;
    };
    IntegrationCheckDto: { ok: boolean; asked: boolean; message: string };
    IntegrationDto: {
      _id?: string;
      _environmentId: string;
      _organizationId: string;
      name: string;
      identifier: string;
      providerId: string;
      channel: 'in_app' | 'email' | 'sms' | 'chat' | 'push';
      credentials: components['schemas']['CredentialsDto'];
      configurations?: components['schemas']['ConfigurationsDto'];
      active: boolean;
      deleted: boolean;
      deletedAt?: string;
      deletedBy?: string;
      primary: boolean;
      priority: number;
      conditions?: components['schemas']['StepFilterDto'][];
      health?: components['schemas']['IntegrationHealthDto'];
      unreadableFields?: string[];
    };
    IntegrationHealthDto: { state: 'closed' | 'open' | 'paused'; since: string; until?: string; reason?: string };
    IntegrationHealthListDto: {
      current?: components['schemas']['IntegrationHealthDto'];
      history: components['schemas']['IntegrationHealthDto'][];
    };
    IntegrationOrderDto: { ids: string[] };
    IntegrationOverviewDto: {
      _id: string;
      name: string;
      identifier: string;
      providerId: string;
      channel: 'in_app' | 'email' | 'sms' | 'chat' | 'push';
      active: boolean;
      primary: boolean;
      health: components['schemas']['AccountHealthDto'];
      messages: number;
      failedMessages: number;
    };
    IntegrationOverviewListDto: { data: components['schemas']['IntegrationOverviewDto'][] };
    IntegrationUsageDto: {
      subscribers: number;
      lastOfChannel: boolean;
      workflows: number;
      workflowNames: string[];
      waitingSteps: number;
    };
    JobDigestDto: {
      type: 'regular' | 'backoff' | 'timed';
      digestKey?: string;
      amount?: number;
      unit?: 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks' | 'months';
      events?: { [key: string]: unknown }[];
      eventsLeftOut?: boolean;
      backoff?: boolean;
      backoffAmount?: number;
      backoffUnit?: 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks' | 'months';
      updateMode?: boolean;
      timed?: components['schemas']['DigestTimedDto'];
    };
    JobDto: {
      _id: string;
      type: 'in_app' | 'email' | 'sms' | 'chat' | 'push' | 'digest' | 'trigger' | 'delay' | 'throttle' | 'custom';
      digest?: components['schemas']['JobDigestDto'];
      executionDetails: components['schemas']['ExecutionDetailDto'][];
      step: components['schemas']['JobStepDto'];
      overrides?: { [key: string]: unknown };
      payload?: { [key: string]: unknown };
      providerId:
        | 'emailjs'
        | 'mailgun'
        | 'mailjet'
        | 'mandrill'
        | 'nodemailer'
        | 'postmark'
        | 'sendgrid'
        | 'sendinblue'
        | 'ses'
        | 'netcore'
        | 'infobip-email'
        | 'resend'
        | 'plunk'
        | 'mailersend'
        | 'mailtrap'
        | 'outlook365'
        | 'platform-email'
        | 'sparkpost'
        | 'email-webhook'
        | 'braze'
        | 'clickatell'
        | 'nexmo'
        | 'plivo'
        | 'sms77'
        | 'sms-central'
        | 'sns'
        | 'telnyx'
        | 'twilio'
        | 'gupshup'
        | 'firetext'
        | 'infobip-sms'
        | 'burst-sms'
        | 'bulk-sms'
        | 'isend-sms'
        | 'forty-six-elks'
        | 'kannel'
        | 'maqsam'
        | 'termii'
        | 'africas-talking'
        | 'platform-sms'
        | 'sendchamp'
        | 'generic-sms'
        | 'clicksend'
        | 'bandwidth'
        | 'messagebird'
        | 'simpletexting'
        | 'azure-sms'
        | 'ring-central'
        | 'brevo-sms'
        | 'eazy-sms'
        | 'mobishastra'
        | 'afro-message'
        | 'unifonic'
        | 'smsmode'
        | 'imedia'
        | 'sinch'
        | 'fcm'
        | 'apns'
        | 'expo'
        | 'one-signal'
        | 'pushpad'
        | 'push-webhook'
        | 'pusher-beams'
        | 'appio'
        | 'platform'
        | 'slack'
        | 'discord'
        | 'msteams'
        | 'mattermost'
        | 'ryver'
        | 'zulip'
        | 'grafana-on-call'
        | 'getstream'
        | 'rocket-chat'
        | 'whatsapp-business'
        | 'chat-webhook'
        | 'telegram'
        | 'platform-slack';
      status: 'pending' | 'queued' | 'running' | 'completed' | 'failed' | 'delayed' | 'canceled' | 'merged' | 'skipped';
      reason?: string;
      updatedAt?: string;
      scheduleExtensionsCount?: number;
      waitingFor?: components['schemas']['WaitDto'] | null;
      spans?: components['schemas']['SpanDto'][];
      messages?: components['schemas']['JobMessageDto'][];
    };
    JobMessageDto: {
      _id: string;
      status: 'sent' | 'error' | 'warning';
      providerId?:
        | 'emailjs'
        | 'mailgun'
        | 'mailjet'
        | 'mandrill'
        | 'nodemailer'
        | 'postmark'
        | 'sendgrid'
        | 'sendinblue'
        | 'ses'
        | 'netcore'
        | 'infobip-email'
        | 'resend'
        | 'plunk'
        | 'mailersend'
        | 'mailtrap'
        | 'outlook365'
        | 'platform-email'
        | 'sparkpost'
        | 'email-webhook'
        | 'braze'
        | 'clickatell'
        | 'nexmo'
        | 'plivo'
        | 'sms77'
        | 'sms-central'
        | 'sns'
        | 'telnyx'
        | 'twilio'
        | 'gupshup'
        | 'firetext'
        | 'infobip-sms'
        | 'burst-sms'
        | 'bulk-sms'
        | 'isend-sms'
        | 'forty-six-elks'
        | 'kannel'
        | 'maqsam'
        | 'termii'
        | 'africas-talking'
        | 'platform-sms'
        | 'sendchamp'
        | 'generic-sms'
        | 'clicksend'
        | 'bandwidth'
        | 'messagebird'
        | 'simpletexting'
        | 'azure-sms'
        | 'ring-central'
        | 'brevo-sms'
        | 'eazy-sms'
        | 'mobishastra'
        | 'afro-message'
        | 'unifonic'
        | 'smsmode'
        | 'imedia'
        | 'sinch'
        | 'fcm'
        | 'apns'
        | 'expo'
        | 'one-signal'
        | 'pushpad'
        | 'push-webhook'
        | 'pusher-beams'
        | 'appio'
        | 'platform'
        | 'slack'
        | 'discord'
        | 'msteams'
        | 'mattermost'
        | 'ryver'
        | 'zulip'
        | 'grafana-on-call'
        | 'getstream'
        | 'rocket-chat'
        | 'whatsapp-business'
        | 'chat-webhook'
        | 'telegram'
        | 'platform-slack';
      title?: string;
      subject?: string;
      content: string | components['schemas']['EmailBlockDto'][];
      leftOut?: string[];
      errorId?: string;
      errorText?: string;
      createdAt: string;
    };
    JobStepDto: {
      _id: string;
      active: boolean;
      filters: components['schemas']['StepFilterDto'][];
      _templateId: string;
      name?: string;
      _parentId?: string | null;
      replyCallback?: { [key: string]: unknown };
      controlVariables?: { [key: string]: unknown };
      metadata?: { [key: string]: unknown };
      issues?: { [key: string]: unknown };
      leftOut?: string[];
      template?: { [key: string]: unknown };
      variants?: components['schemas']['JobStepDto'][];
    };
    LayoutControlValuesDto: { email?: components['schemas']['LayoutEmailDto'] };
    LayoutControlsDto: { values: components['schemas']['LayoutControlValuesDto'] };
    LayoutDto: {
      _id: string;
      layoutId: string;
      slug: string;
      name: string;
      isDefault: boolean;
      isTranslationEnabled: boolean;
      origin: 'platform-cloud' | 'platform-cloud-v1' | 'external';
      type: 'REGULAR';
      controls: components['schemas']['LayoutControlsDto'];
      leftOut?: string[];
      createdAt: string;
      updatedAt: string;
    };
    LayoutEmailDto: { body: string; editorType: 'html' | 'block' };
    LayoutListDto: { layouts: components['schemas']['LayoutDto'][]; totalCount: number };
    LayoutPreviewDto: {
      result: components['schemas']['LayoutPreviewResultDto'];
      previewPayloadExample: components['schemas']['LayoutPreviewPayloadDto'];
    };
    LayoutPreviewOutputDto: { body: string };
    LayoutPreviewPayloadDto: {
      subscriber?: { [key: string]: unknown };
      context?: { [key: string]: unknown };
      content?: string;
    };
    LayoutPreviewResultDto: { type: 'email'; preview: components['schemas']['LayoutPreviewOutputDto'] };
    LayoutUsageDto: { workflows: components['schemas']['LayoutUserDto'][] };
    LayoutUserDto: { name: string; workflowId: string };
    LogEntryDto: {
      sequence: number;
      id: string;
      type:
        | 'message.sent'
        | 'message.delivered'
        | 'message.failed'
        | 'message.seen'
        | 'message.read'
        | 'message.unread'
        | 'message.archived'
        | 'message.unarchived'
        | 'message.snoozed'
        | 'message.unsnoozed'
        | 'message.deleted'
        | 'workflow.created'
        | 'workflow.updated'
        | 'workflow.published'
        | 'workflow.deleted'
        | 'preference.updated'
        | 'integration.unavailable'
        | 'integration.available'
        | 'webhook_endpoint.disabled';
      /** Format: date-time */
      timestamp: string;
      /**
       * @example {
       *       "messageId": "01980000-0000-7000-8000-000000000000",
       *       "transactionId": "order-1",
       *       "channel": "email"
       *     }
       */
      data: { [key: string]: unknown };
    };
    LookupDto: { data: components['schemas']['LookupMatchDto'][] };
    LookupMatchDto: {
      kind: 'notification' | 'step' | 'message' | 'transaction' | 'subscriber' | 'workflow';
      _id: string;
      title: string;
      path: string;
    };
    MasterJsonDto: { workflows: { [key: string]: unknown }; layouts: { [key: string]: unknown } };
    MissingTextsDto: { locale: string; keys: string[] };
    NamedTranslationDto: {
      resourceId: string;
      resourceType: 'workflow' | 'layout';
      locale: string;
      /**
       * @example {
       *       "cart": {
       *         "title": "Your cart, {{ subscriber.firstName }}"
       *       }
       *     }
       */
      content: { [key: string]: unknown };
      createdAt: string;
      updatedAt: string;
      resourceName: string;
    };
    NewSubscriptionPreferenceDto: {
      workflowId?: string;
      filter?: components['schemas']['WorkflowGroupDto'];
      enabled?: boolean;
      condition?: { [key: string]: unknown };
    };
    NewTopicSubscriptionDto: { subscriberId: string; identifier?: string; name?: string };
    NotificationComparisonDto: {
      current: components['schemas']['ComparedRunDto'];
      good?: components['schemas']['ComparedRunDto'];
      payload: components['schemas']['PayloadChangeDto'][];
    };
    NotificationDto: {
      _id?: string;
      _environmentId: string;
      _organizationId: string;
      _subscriberId: string;
      transactionId: string;
      _templateId?: string;
      _digestedNotificationId?: string;
      createdAt?: string;
      updatedAt?: string;
      channels?: (
        | 'in_app'
        | 'email'
        | 'sms'
        | 'chat'
        | 'push'
        | 'digest'
        | 'trigger'
        | 'delay'
        | 'throttle'
        | 'custom'
      )[];
      subscriber?: components['schemas']['ActivitySubscriberDto'];
      template?: components['schemas']['ActivityTemplateDto'];
      jobs?: components['schemas']['JobDto'][];
      payload?: { [key: string]: unknown };
      controls?: { [key: string]: unknown };
      to?: { [key: string]: unknown };
      leftOut?: string[];
      tags?: string[];
      topics?: components['schemas']['ActivityTopicDto'][];
      severity?: 'high' | 'medium' | 'low' | 'none';
      critical?: boolean;
      contextKeys?: string[];
      traceId?: string;
    };
    NotificationMessagesDto: {
      data: components['schemas']['SentMessageDto'][];
      today?: components['schemas']['DryRunStepDto'][];
      todayMissing?: string;
    };
    NotificationRuleDto: {
      rule:
        | 'workflow'
        | 'limits'
        | 'payload'
        | 'previous_steps'
        | 'hold'
        | 'conditions'
        | 'skip'
        | 'runIf'
        | 'preferences'
        | 'schedule'
        | 'timing'
        | 'integration'
        | 'content'
        | 'address'
        | 'suppression'
        | 'provider';
      passed: boolean;
      detail: string;
      values: { [key: string]: unknown };
      source: 'recorded' | 'recomputed';
      at?: string;
    };
    NotificationRulesDto: { steps: components['schemas']['NotificationStepRulesDto'][]; recomputedMissing?: string };
    NotificationStepRulesDto: {
      stepId: string;
      type: 'in_app' | 'email' | 'sms' | 'chat' | 'push' | 'digest' | 'trigger' | 'delay' | 'throttle' | 'custom';
      status?:
        | 'pending'
        | 'queued'
        | 'running'
        | 'completed'
        | 'failed'
        | 'delayed'
        | 'canceled'
        | 'merged'
        | 'skipped';
      rules: components['schemas']['NotificationRuleDto'][];
    };
    NotificationTriggerDto: {
      type: 'event';
      identifier: string;
      variables: components['schemas']['TriggerVariableDto'][];
      subscriberVariables?: components['schemas']['TriggerVariableDto'][];
    };
    OutboxListDto: {
      next: string | null;
      previous: string | null;
      totalCount: number;
      totalCountCapped: boolean;
      data: components['schemas']['OutboxMessageDto'][];
    };
    OutboxMessageDto: {
      _id: string;
      _environmentId: string;
      channel: 'in_app' | 'email' | 'sms' | 'chat' | 'push';
      _notificationId?: string;
      providerId: string;
      to: string[];
      subject?: string;
      html?: string;
      text?: string;
      more: { [key: string]: unknown };
      previewUrl: string;
      createdAt: string;
    };
    OverviewDto: {
      after: string;
      before: string;
      bucketSeconds: number;
      totals: components['schemas']['OverviewTotalsDto'];
      reconciles: boolean;
      difference: number;
      channels: components['schemas']['ChannelOverviewDto'][];
      series: components['schemas']['OverviewPointDto'][];
      retrying: components['schemas']['RetriedGroupDto'][];
    };
    OverviewPointDto: {
      accepted: number;
      delivered: number;
      failed: number;
      skipped: number;
      failures: number;
      recovered: number;
      at: string;
      channel: 'in_app' | 'email' | 'sms' | 'chat' | 'push';
    };
    OverviewTotalsDto: {
      accepted: number;
      delivered: number;
      failed: number;
      skipped: number;
      inFlight: number;
      inDoubt: number;
      failures: number;
      recovered: number;
    };
    PatchPreferencesDto: {
      channels?: components['schemas']['ChannelChangesDto'];
      workflowId?: string;
      schedule?: components['schemas']['ScheduleDto'];
      /**
       * @example {
       *       "region": "eu"
       *     }
       */
      context?: { [key: string]: unknown };
    };
    PatchSubscriberDto: {
      firstName?: string | null;
      lastName?: string | null;
      /** Format: email */
      email?: string | null;
      phone?: string | null;
      avatar?: string | null;
      timezone?: string | null;
      locale?: string | null;
      data?: { [key: string]: unknown } | null;
    };
    PatchTopicDto: { name?: string };
    PatchWebhookEndpointDto: {
      url?: string;
      description?: string | null;
      /**
       * @example [
       *       "message.sent",
       *       "message.failed"
       *     ]
       */
      events?:
        | (
            | 'message.sent'
            | 'message.delivered'
            | 'message.failed'
            | 'message.seen'
            | 'message.read'
            | 'message.unread'
            | 'message.archived'
            | 'message.unarchived'
            | 'message.snoozed'
            | 'message.unsnoozed'
            | 'message.deleted'
            | 'workflow.created'
            | 'workflow.updated'
            | 'workflow.published'
            | 'workflow.deleted'
            | 'preference.updated'
            | 'integration.unavailable'
            | 'integration.available'
            | 'webhook_endpoint.disabled'
          )[]
        | null;
      channels?: ('in_app' | 'email' | 'sms' | 'chat' | 'push')[] | null;
      workflows?: string[] | null;
      active?: boolean;
      skipMissed?: boolean;
    };
    PayloadChangeDto: { path: string; good?: string; current?: string };
    PreferenceLayerDto: {
      all?: components['schemas']['AllPreferenceDto'];
      channels?: components['schemas']['ChannelPreferencesDto'];
    };
    PreferenceOverrideDto: { channel: 'in_app' | 'email' | 'sms' | 'chat' | 'push'; source: 'subscriber' | 'template' };
    PreferenceWorkflowDto: { slug: string; identifier: string; name: string; critical: boolean; updatedAt: string };
    PreferredWorkflowDto: {
      id: string;
      identifier: string;
      name: string;
      critical: boolean;
      tags: string[];
      severity: 'high' | 'medium' | 'low' | 'none';
    };
    PreviewLayoutDto: {
      controlValues?: components['schemas']['LayoutControlValuesDto'] | null;
      previewPayload?: components['schemas']['LayoutPreviewPayloadDto'] | null;
    };
    PreviewPayloadDto: {
      subscriber?: { [key: string]: unknown };
      payload?: { [key: string]: unknown };
      steps?: { [key: string]: unknown };
      context?: { [key: string]: unknown };
      env?: { [key: string]: unknown };
      actor?: { [key: string]: unknown };
      tenant?: { [key: string]: unknown };
    };
    PreviewStepDto: {
      controlValues?:
        | (
            | components['schemas']['InAppControlsDto']
            | components['schemas']['EmailControlsDto']
            | components['schemas']['SmsControlsDto']
            | components['schemas']['ChatControlsDto']
            | components['schemas']['PushControlsDto']
            | components['schemas']['DigestControlsDto']
            | components['schemas']['DelayControlsDto']
            | components['schemas']['ThrottleControlsDto']
            | components['schemas']['CustomControlsDto']
          )
        | null;
      type?: 'in_app' | 'email' | 'sms' | 'chat' | 'push' | 'digest' | 'delay' | 'throttle' | 'custom';
      previewPayload?: components['schemas']['PreviewPayloadDto'] | null;
    };
    ProviderAnswerDto: {
      at: string;
      status: 'Success' | 'Warning' | 'Failed' | 'Pending' | 'Queued' | 'ReadConfirmation';
      detail: string;
      raw: string | null;
    };
    ProviderDto: {
      id: string;
      channel: 'in_app' | 'email' | 'sms' | 'chat' | 'push';
      displayName: string;
      builtIn: boolean;
      credentials: components['schemas']['ProviderFieldDto'][];
      configurations: components['schemas']['ProviderFieldDto'][];
      check: boolean;
      batchSize: number;
      duplicateDetection?: string;
      deliveryEvents?: components['schemas']['ProviderEventsDto'];
      overrides: string[];
      evidence: 'official' | 'third-party' | 'reported';
    };
    ProviderEventsDto: { proof: string; keyInUrl: boolean; path: string; baseUrl?: string; help: string[] };
    ProviderFieldDto: {
      name: string;
      label: string;
      type: 'text' | 'boolean' | 'number' | 'object' | 'choice';
      required: boolean;
      oneOf?: string[];
      secret: boolean;
      options?: string[];
      hint?: string;
    };
    ProviderListDto: { data: components['schemas']['ProviderDto'][] };
    PublishDto: {
      _id: string;
      _environmentId: string;
      sourceEnvironmentId?: string;
      origin: 'publish' | 'sync' | 'files' | 'undo';
      undoes?: string;
      undoneBy?: string;
      actor: components['schemas']['PublisherDto'];
      resources: components['schemas']['PublishedChangeDto'][];
      createdAt: string;
    };
    PublishEnvironmentDto: {
      /** Format: uuid */
      sourceEnvironmentId?: string;
      dryRun?: boolean;
      resources?: components['schemas']['ResourceToPublishDto'][];
    };
    PublishListDto: {
      next: string | null;
      previous: string | null;
      totalCount: number;
      totalCountCapped: boolean;
      data: components['schemas']['PublishDto'][];
    };
    PublishResponseDto: {
      results: components['schemas']['PublishResultDto'][];
      summary: components['schemas']['PublishSummaryDto'];
      dryRun: boolean;
      publishId?: string;
      warnings: string[];
    };
    PublishResultDto: {
      resourceType: 'workflow' | 'layout' | 'translation';
      successful: components['schemas']['PublishedResourceDto'][];
      failed: components['schemas']['FailedResourceDto'][];
      skipped: components['schemas']['SkippedResourceDto'][];
      totalProcessed: number;
    };
    PublishSummaryDto: { resources: number; successful: number; failed: number; skipped: number };
    PublishedChangeDto: {
      resourceType: 'workflow' | 'layout' | 'translation';
      resourceId: string;
      resourceName: string;
      action: 'created' | 'updated' | 'skipped' | 'deleted';
      diffs?: components['schemas']['ResourceValuesDto'];
    };
    PublishedResourceDto: {
      resourceType: 'workflow' | 'layout' | 'translation';
      resourceId: string;
      resourceName: string;
      action: 'created' | 'updated' | 'skipped' | 'deleted';
    };
    PublisherDto: {
      type: 'key' | 'cli' | 'operator' | 'setup' | 'person' | 'system';
      keyId?: string;
      keyPrefix?: string;
    };
    /** Push */
    PushControlsDto: {
      /** Subject */
      subject: string;
      /** Body */
      body: string;
      /** Run if */
      runIf?: { [key: string]: unknown } | null;
      /** Skip */
      skip?: { [key: string]: unknown } | null;
    };
    PushStepInputDto: {
      /** Format: uuid */
      _id?: string;
      name: string;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'push';
      stepId?: string;
      controlValues?: components['schemas']['PushControlsDto'] | null;
      filters?: components['schemas']['StepFilterInputDto'][];
      active?: boolean;
      shouldStopOnFail?: boolean;
      variants?: components['schemas']['StepVariantDto'][];
    };
    RecipientChannelDto: {
      providerId:
        | 'slack'
        | 'discord'
        | 'msteams'
        | 'mattermost'
        | 'ryver'
        | 'zulip'
        | 'grafana-on-call'
        | 'getstream'
        | 'rocket-chat'
        | 'whatsapp-business'
        | 'chat-webhook'
        | 'telegram'
        | 'platform-slack'
        | 'fcm'
        | 'apns'
        | 'expo'
        | 'one-signal'
        | 'pushpad'
        | 'push-webhook'
        | 'pusher-beams'
        | 'appio';
      integrationIdentifier?: string;
      credentials: components['schemas']['ChannelCredentialsDto'];
    };
    RecipientDto: {
      firstName?: string | null;
      lastName?: string | null;
      /** Format: email */
      email?: string | null;
      phone?: string | null;
      avatar?: string | null;
      timezone?: string | null;
      locale?: string | null;
      data?: { [key: string]: unknown } | null;
      subscriberId: string;
      channels?: components['schemas']['RecipientChannelDto'][];
    };
    ReplayWebhooksDto: {
      failedOnly?: boolean;
      after?: number;
      to?: number;
      /** Format: date-time */
      since?: string;
      /** Format: date-time */
      until?: string;
    };
    ResourceChangeDto: {
      resourceType: 'workflow' | 'layout' | 'translation' | 'step';
      action: 'added' | 'modified' | 'deleted' | 'unchanged' | 'moved';
      sourceResource: components['schemas']['ComparedResourceDto'] | null;
      targetResource: components['schemas']['ComparedResourceDto'] | null;
      diffs?: components['schemas']['ResourceValuesDto'];
      stepType?: string;
      previousIndex?: number;
      newIndex?: number;
    };
    ResourceDependencyDto: {
      resourceType: 'workflow' | 'layout' | 'translation';
      resourceId: string;
      resourceName: string;
      isBlocking: boolean;
      reason: 'LAYOUT_REQUIRED_FOR_WORKFLOW' | 'LAYOUT_EXISTS_IN_TARGET';
    };
    ResourceDiffDto: {
      resourceType: 'workflow' | 'layout' | 'translation';
      sourceResource: components['schemas']['ComparedResourceDto'] | null;
      targetResource: components['schemas']['ComparedResourceDto'] | null;
      changes: components['schemas']['ResourceChangeDto'][];
      summary: components['schemas']['ChangeCountsDto'];
      dependencies?: components['schemas']['ResourceDependencyDto'][];
      warnings: string[];
      fingerprint: string;
    };
    ResourceToPublishDto: {
      resourceType: 'workflow' | 'layout' | 'translation' | 'REGULAR';
      resourceId: string;
      fingerprint?: string;
    };
    ResourceValuesDto: { previous: { [key: string]: unknown } | null; new: { [key: string]: unknown } | null };
    RetriedGroupDto: {
      channel: 'in_app' | 'email' | 'sms' | 'chat' | 'push';
      providerId: string | null;
      reason: string | null;
      count: number;
      people: number;
      /** Format: date-time */
      nextAt: string;
      sampleNotificationId: string;
    };
    RotateInboxSecretDto: { overlapHours?: number };
    RunBulkActionDto: { count: number; perSecond?: number };
    SandboxRedirectDto: {
      /** Format: email */
      email?: string | null;
      phone?: string | null;
    };
    ScheduleDto: { isEnabled: boolean; weeklySchedule?: components['schemas']['WeeklyScheduleDto'] };
    SentAroundDto: {
      after: string;
      before: string;
      notifications: components['schemas']['SentNotificationDto'][];
      hasMore: boolean;
    };
    SentMessageDto: {
      _id: string;
      _jobId: string;
      stepId: string;
      channel: 'in_app' | 'email' | 'sms' | 'chat' | 'push';
      status: 'sent' | 'error' | 'warning';
      providerId?:
        | 'emailjs'
        | 'mailgun'
        | 'mailjet'
        | 'mandrill'
        | 'nodemailer'
        | 'postmark'
        | 'sendgrid'
        | 'sendinblue'
        | 'ses'
        | 'netcore'
        | 'infobip-email'
        | 'resend'
        | 'plunk'
        | 'mailersend'
        | 'mailtrap'
        | 'outlook365'
        | 'platform-email'
        | 'sparkpost'
        | 'email-webhook'
        | 'braze'
        | 'clickatell'
        | 'nexmo'
        | 'plivo'
        | 'sms77'
        | 'sms-central'
        | 'sns'
        | 'telnyx'
        | 'twilio'
        | 'gupshup'
        | 'firetext'
        | 'infobip-sms'
        | 'burst-sms'
        | 'bulk-sms'
        | 'isend-sms'
        | 'forty-six-elks'
        | 'kannel'
        | 'maqsam'
        | 'termii'
        | 'africas-talking'
        | 'platform-sms'
        | 'sendchamp'
        | 'generic-sms'
        | 'clicksend'
        | 'bandwidth'
        | 'messagebird'
        | 'simpletexting'
        | 'azure-sms'
        | 'ring-central'
        | 'brevo-sms'
        | 'eazy-sms'
        | 'mobishastra'
        | 'afro-message'
        | 'unifonic'
        | 'smsmode'
        | 'imedia'
        | 'sinch'
        | 'fcm'
        | 'apns'
        | 'expo'
        | 'one-signal'
        | 'pushpad'
        | 'push-webhook'
        | 'pusher-beams'
        | 'appio'
        | 'platform'
        | 'slack'
        | 'discord'
        | 'msteams'
        | 'mattermost'
        | 'ryver'
        | 'zulip'
        | 'grafana-on-call'
        | 'getstream'
        | 'rocket-chat'
        | 'whatsapp-business'
        | 'chat-webhook'
        | 'telegram'
        | 'platform-slack';
      providerMessageId?: string;
      to: string[];
      title?: string;
      subject?: string;
      content: string;
      cta?: { [key: string]: unknown };
      data?: { [key: string]: unknown };
      overrides?: { [key: string]: unknown };
      leftOut?: string[];
      errorId?: string;
      errorText?: string;
      createdAt: string;
      updatedAt: string;
      answers: components['schemas']['ProviderAnswerDto'][];
    };
    SentNotificationDto: {
      _id: string;
      transactionId: string;
      createdAt: string;
      steps: components['schemas']['SentStepDto'][];
    };
    SentStepDto: {
      _id: string;
      stepId: string;
      type: 'in_app' | 'email' | 'sms' | 'chat' | 'push' | 'digest' | 'trigger' | 'delay' | 'throttle' | 'custom';
      status: 'pending' | 'queued' | 'running' | 'completed' | 'failed' | 'delayed' | 'canceled' | 'merged' | 'skipped';
      reason?: string;
    };
    SessionDto: {
      _id: string;
      environmentId: string;
      organizationId: string;
      scope: 'admin' | 'full' | 'read' | 'trigger';
      keyName: string;
      expiresAt: string;
      environments: components['schemas']['SessionEnvironmentDto'][];
    };
    SessionEnvironmentDto: {
      _id: string;
      name: string;
      identifier: string;
      kind: 'development' | 'production' | 'sandbox';
    };
    SessionListDto: { data: components['schemas']['SessionSummaryDto'][] };
    SessionSummaryDto: {
      _id: string;
      keyId: string;
      keyName: string;
      keyPrefix: string;
      scope: 'admin' | 'full' | 'read' | 'trigger';
      address: string;
      userAgent?: string;
      current: boolean;
      createdAt: string;
      lastUsedAt: string;
      expiresAt: string;
    };
    SkippedResourceDto: {
      resourceType: 'workflow' | 'layout' | 'translation';
      resourceId: string;
      resourceName: string;
      reason: string;
    };
    /** SMS */
    SmsControlsDto: {
      /** Body */
      body: string;
      /** Run if */
      runIf?: { [key: string]: unknown } | null;
      /** Skip */
      skip?: { [key: string]: unknown } | null;
    };
    SmsStepInputDto: {
      /** Format: uuid */
      _id?: string;
      name: string;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'sms';
      stepId?: string;
      controlValues?: components['schemas']['SmsControlsDto'] | null;
      filters?: components['schemas']['StepFilterInputDto'][];
      active?: boolean;
      shouldStopOnFail?: boolean;
      variants?: components['schemas']['StepVariantDto'][];
    };
    SpanDto: { kind: 'queue' | 'hold' | 'retry' | 'render' | 'provider'; from: string; to: string };
    StepControlsDto: {
      values:
        | components['schemas']['InAppControlsDto']
        | components['schemas']['EmailControlsDto']
        | components['schemas']['SmsControlsDto']
        | components['schemas']['ChatControlsDto']
        | components['schemas']['PushControlsDto']
        | components['schemas']['DigestControlsDto']
        | components['schemas']['DelayControlsDto']
        | components['schemas']['ThrottleControlsDto']
        | components['schemas']['CustomControlsDto'];
    };
    StepFilterDto: {
      isNegated: boolean;
      type: 'BOOLEAN' | 'TEXT' | 'DATE' | 'NUMBER' | 'STATEMENT' | 'LIST' | 'MULTI_LIST' | 'GROUP';
      value: 'AND' | 'OR';
      children: components['schemas']['FieldFilterPartDto'][];
    };
    StepFilterInputDto: {
      isNegated?: boolean;
      type?: 'BOOLEAN' | 'TEXT' | 'DATE' | 'NUMBER' | 'STATEMENT' | 'LIST' | 'MULTI_LIST' | 'GROUP';
      value?: 'AND' | 'OR';
      children: components['schemas']['FieldFilterPartDto'][];
    };
    StepOverviewDto: {
      _id: string;
      stepId: string;
      slug: string;
      name: string;
      type: 'in_app' | 'email' | 'sms' | 'chat' | 'push' | 'digest' | 'delay' | 'throttle' | 'custom';
      issues?: { [key: string]: unknown };
    };
    StepPreviewDto: {
      result: components['schemas']['StepPreviewResultDto'];
      previewPayloadExample: components['schemas']['PreviewPayloadDto'];
      missingTranslations?: string[];
    };
    StepPreviewResultDto: {
      type: 'in_app' | 'email' | 'sms' | 'chat' | 'push' | 'digest' | 'delay' | 'throttle' | 'custom';
      preview: { [key: string]: unknown };
    };
    StepTypeDto: {
      type: 'in_app' | 'email' | 'sms' | 'chat' | 'push' | 'digest' | 'delay' | 'throttle' | 'custom';
      title: string;
      description: string;
      isChannel: boolean;
      controls: { [key: string]: unknown };
    };
    StepTypeListDto: {
      data: components['schemas']['StepTypeDto'][];
      variables: components['schemas']['AuthoringNameDto'][];
      filters: components['schemas']['AuthoringNameDto'][];
      conditionOperators: components['schemas']['AuthoringOperatorDto'][];
      ruleOperators: components['schemas']['AuthoringOperatorDto'][];
      sample: { [key: string]: unknown };
    };
    StepVariantDto: {
      /** Format: uuid */
      _id?: string;
      name?: string;
      active?: boolean;
      filters?: components['schemas']['StepFilterInputDto'][];
      controlValues?:
        | (
            | components['schemas']['InAppControlsDto']
            | components['schemas']['EmailControlsDto']
            | components['schemas']['SmsControlsDto']
            | components['schemas']['ChatControlsDto']
            | components['schemas']['PushControlsDto']
            | components['schemas']['DigestControlsDto']
            | components['schemas']['DelayControlsDto']
            | components['schemas']['ThrottleControlsDto']
            | components['schemas']['CustomControlsDto']
          )
        | null;
    };
    SubscriberDto: {
      _id?: string;
      subscriberId: string;
      firstName?: string | null;
      lastName?: string | null;
      email?: string | null;
      phone?: string | null;
      avatar?: string | null;
      locale?: string | null;
      channels?: components['schemas']['ChannelSettingsDto'][];
      /** @deprecated */
      topics?: string[];
      topicsCapped?: boolean;
      isOnline?: boolean | null;
      lastOnlineAt?: string | null;
      __v?: number;
      data?: { [key: string]: unknown } | null;
      leftOut?: string[];
      timezone?: string | null;
      _organizationId: string;
      _environmentId: string;
      deleted: boolean;
      createdAt: string;
      updatedAt: string;
    };
    SubscriberExportDto: {
      subscriberId: string;
      /** Format: date-time */
      exportedAt: string;
      records: { [key: string]: unknown };
      truncated: string[];
      next: string | null;
    };
    SubscriberGlobalPreferenceDto: {
      enabled: boolean;
      channels: components['schemas']['ChannelFlagsDto'];
      schedule?: components['schemas']['ScheduleDto'];
    };
    SubscriberListDto: {
      next: string | null;
      previous: string | null;
      totalCount: number;
      totalCountCapped: boolean;
      data: components['schemas']['SubscriberDto'][];
    };
    SubscriberPreferencesDto: {
      global: components['schemas']['SubscriberGlobalPreferenceDto'];
      workflows: components['schemas']['SubscriberWorkflowPreferenceDto'][];
      hasMore: boolean;
    };
    SubscriberSummaryDto: {
      _id: string;
      subscriberId: string;
      avatar?: string | null;
      firstName?: string | null;
      lastName?: string | null;
      email?: string | null;
    };
    SubscriberUsageDto: { topics: number; channels: number; messages: number; openSteps: number };
    SubscriberWorkflowPreferenceDto: {
      enabled: boolean;
      channels: components['schemas']['ChannelFlagsDto'];
      overrides: components['schemas']['PreferenceOverrideDto'][];
      workflow: components['schemas']['PreferenceWorkflowDto'];
      updatedAt?: string;
    };
    SubscriptionErrorDto: {
      subscriberId: string;
      code: 'SUBSCRIBER_NOT_FOUND' | 'SUBSCRIPTION_NOT_FOUND' | 'IDENTIFIER_TAKEN';
      message: string;
    };
    SubscriptionPreferenceDto: {
      subscriptionId: string;
      workflow: components['schemas']['PreferredWorkflowDto'];
      enabled: boolean;
      condition?: { [key: string]: unknown };
    };
    SubscriptionsMetaDto: { totalCount: number; successful: number; failed: number };
    SuppressionDto: {
      _id: string;
      _environmentId: string;
      channel: 'email' | 'sms' | 'chat';
      address: string;
      reason: 'bounce' | 'complaint' | 'manual';
      providerId?: string;
      _integrationId?: string;
      _messageId?: string;
      _notificationId?: string;
      createdAt: string;
    };
    SuppressionListDto: {
      next: string | null;
      previous: string | null;
      totalCount: number;
      totalCountCapped: boolean;
      data: components['schemas']['SuppressionDto'][];
    };
    /** Throttle */
    ThrottleControlsDto: {
      /**
       * Type
       * @default fixed
       * @enum {string}
       */
      type: 'fixed' | 'dynamic';
      /**
       * Amount
       * @default 5
       */
      amount: number;
      /**
       * Unit
       * @default minutes
       * @enum {string}
       */
      unit: 'minutes' | 'hours' | 'days';
      /** Path */
      dynamicKey?: string;
      /**
       * Threshold
       * @default 1
       */
      threshold: number;
      /** Key */
      throttleKey?: string;
      /** Run if */
      runIf?: { [key: string]: unknown } | null;
      /** Skip */
      skip?: { [key: string]: unknown } | null;
    };
    ThrottleStepInputDto: {
      /** Format: uuid */
      _id?: string;
      name: string;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'throttle';
      stepId?: string;
      controlValues?: components['schemas']['ThrottleControlsDto'] | null;
      filters?: components['schemas']['StepFilterInputDto'][];
      active?: boolean;
      shouldStopOnFail?: boolean;
      variants?: components['schemas']['StepVariantDto'][];
    };
    TimeRangeDto: { start: string; end: string };
    TopicDto: { _id: string; key: string; name?: string; createdAt?: string; updatedAt?: string };
    TopicListDto: {
      next: string | null;
      previous: string | null;
      totalCount: number;
      totalCountCapped: boolean;
      data: components['schemas']['TopicDto'][];
    };
    TopicRecipientDto: { type: 'Topic'; topicKey: string; exclude?: string[] };
    TopicSubscriptionDto: {
      _id: string;
      identifier: string;
      name?: string;
      createdAt: string;
      updatedAt: string;
      topic: components['schemas']['TopicDto'];
      subscriber: components['schemas']['SubscriberSummaryDto'];
      contextKeys?: string[];
      preferences?: components['schemas']['SubscriptionPreferenceDto'][];
    };
    TopicSubscriptionListDto: {
      next: string | null;
      previous: string | null;
      totalCount: number;
      totalCountCapped: boolean;
      data: components['schemas']['TopicSubscriptionDto'][];
    };
    TopicSubscriptionsResultDto: {
      data: components['schemas']['TopicSubscriptionDto'][];
      meta: components['schemas']['SubscriptionsMetaDto'];
      errors?: components['schemas']['SubscriptionErrorDto'][];
    };
    TopicUsageDto: { subscribers: number; notifications: number; lastUsedAt: string | null };
    TrackingDto: { opens: boolean; clicks: boolean };
    TranslationDto: {
      resourceId: string;
      resourceType: 'workflow' | 'layout';
      locale: string;
      /**
       * @example {
       *       "cart": {
       *         "title": "Your cart, {{ subscriber.firstName }}"
       *       }
       *     }
       */
      content: { [key: string]: unknown };
      createdAt: string;
      updatedAt: string;
    };
    TranslationGroupDto: {
      resourceId: string;
      resourceType: 'workflow' | 'layout';
      resourceName: string;
      locales: string[];
      outdatedLocales?: string[];
      missing: components['schemas']['MissingTextsDto'][];
      createdAt: string;
      updatedAt: string;
    };
    TranslationListDto: { data: components['schemas']['NamedTranslationDto'][]; next: string | null };
    TriggerEventDto: {
      name: string;
      overrides?: { [key: string]: unknown };
      controls?: { [key: string]: unknown };
      transactionId?: string;
      actor?: string | { [key: string]: unknown };
      tenant?: string | { [key: string]: unknown };
      /**
       * @example {
       *       "region": "eu"
       *     }
       */
      context?: { [key: string]: unknown };
      ttl?: number;
      priority?: 'critical' | 'normal' | 'bulk';
      payload?: { [key: string]: unknown };
      to:
        | string
        | components['schemas']['RecipientDto']
        | components['schemas']['TopicRecipientDto']
        | (string | components['schemas']['RecipientDto'] | components['schemas']['TopicRecipientDto'])[];
    };
    TriggerResultDto: {
      acknowledged: boolean;
      status:
        | 'error'
        | 'trigger_not_active'
        | 'no_workflow_active_steps_defined'
        | 'no_workflow_steps_defined'
        | 'processed'
        | 'no_tenant_found'
        | 'invalid_recipients';
      error?: string[];
      transactionId?: string;
      dryRun?: components['schemas']['DryRunDto'];
    };
    TriggerVariableDto: { name: string };
    UnchangedItemsDto: { reason: 'open' | 'ended_again' | 'redacted' | 'deleted' | 'ended' | 'sending'; count: number };
    UpdateEnvironmentDto: {
      name?: string;
      identifier?: string;
      /** Format: uuid */
      parentId?: string | null;
      color?: string;
      kind?: 'development' | 'production' | 'sandbox';
      sandboxRedirect?: components['schemas']['SandboxRedirectDto'] | null;
      withoutIntegration?: 'fail' | 'hold';
      dialect?: 'spec' | 'novu' | null;
      allowRecipientOverrides?: boolean;
      allowRaisedPriority?: boolean;
      /**
       * @example [
       *       "https://app.example.com"
       *     ]
       */
      allowedOrigins?: string[] | null;
      inboxSignatures?: 'required' | 'optional' | null;
      eventLog?: boolean;
      tracking?: components['schemas']['GivenTrackingDto'];
      oneClickUnsubscribe?: boolean;
      defaultLocale?: string;
    };
    UpdateEnvironmentVariableDto: {
      key?: string;
      type?: 'string';
      isSecret?: boolean;
      values?: components['schemas']['EnvironmentVariableValueInput'][];
    };
    UpdateIntegrationDto: {
      name?: string;
      identifier?: string;
      /** Format: uuid */
      _environmentId?: string;
      credentials?: components['schemas']['CredentialsDto'];
      active?: boolean;
      check?: boolean;
      conditions?: components['schemas']['StepFilterInputDto'][];
      configurations?: components['schemas']['ConfigurationsDto'];
    };
    UpdateLayoutDto: {
      name: string;
      controlValues?: components['schemas']['LayoutControlValuesDto'] | null;
      isDefault?: boolean;
    };
    UpdateWorkflowDto: {
      name: string;
      description?: string | null;
      tags?: string[];
      active?: boolean;
      validatePayload?: boolean;
      escapeHtml?: boolean;
      whileRetrying?: 'continue' | 'wait';
      payloadSchema?: { [key: string]: unknown } | null;
      preferences?: components['schemas']['WorkflowPreferencesInputDto'];
      severity?: 'high' | 'medium' | 'low' | 'none';
      origin?: 'platform-cloud' | 'platform-cloud-v1' | 'external';
      steps: components['schemas']['WorkflowStepInputDto'][];
      revision?: string;
    };
    UploadMasterJsonDto: { file: components['schemas']['UploadedFileDto'][] };
    UploadTranslationsDto: {
      resourceId: string;
      resourceType: 'workflow' | 'layout';
      files: components['schemas']['UploadedFileDto'][];
    };
    UploadedFileDto: { name: string; content: string };
    UploadedTranslationsDto: { totalFiles: number; successfulUploads: number; failedUploads: number; errors: string[] };
    VariableLayoutDto: { name: string; layoutId: string };
    VariableWorkflowDto: { name: string; workflowId: string };
    WaitDto: {
      kind: 'queue' | 'hold' | 'retry' | 'rate_limit' | 'breaker' | 'earlier_step' | 'window' | 'delay' | 'digest';
      since: string;
      until?: string;
      attempt?: number;
      attempts?: number;
      reason?: string;
      holdId?: string;
    };
    WebhookDeliveryDto: {
      _id: string;
      entryId: string;
      sequence?: number;
      type: string;
      state: 'waiting' | 'delivered' | 'failed';
      attempts: number;
      /** Format: date-time */
      nextAttemptAt?: string;
      /** Format: date-time */
      lastAttemptAt?: string;
      /** Format: date-time */
      endedAt?: string;
      responseStatus?: number;
      responseText?: string;
      error?: string;
      createdAt: string;
    };
    WebhookDeliveryListDto: {
      hasMore: boolean;
      pageSize: number;
      page: number;
      data: components['schemas']['WebhookDeliveryDto'][];
    };
    WebhookEndpointDto: {
      _id: string;
      _environmentId: string;
      url: string;
      description?: string;
      events:
        | (
            | 'message.sent'
            | 'message.delivered'
            | 'message.failed'
            | 'message.seen'
            | 'message.read'
            | 'message.unread'
            | 'message.archived'
            | 'message.unarchived'
            | 'message.snoozed'
            | 'message.unsnoozed'
            | 'message.deleted'
            | 'workflow.created'
            | 'workflow.updated'
            | 'workflow.published'
            | 'workflow.deleted'
            | 'preference.updated'
            | 'integration.unavailable'
            | 'integration.available'
            | 'webhook_endpoint.disabled'
          )[]
        | null;
      channels: ('in_app' | 'email' | 'sms' | 'chat' | 'push')[] | null;
      workflows: string[] | null;
      active: boolean;
      disabledReason?: string;
      /** Format: date-time */
      disabledAt?: string;
      failures: number;
      /** Format: date-time */
      failingSince?: string;
      /** Format: date-time */
      pausedUntil?: string;
      /** Format: date-time */
      lastDeliveredAt?: string;
      /** Format: date-time */
      previousSecretUntil?: string;
      waitingDeliveries: number;
      waitingEntries: number;
      createdAt: string;
      updatedAt: string;
    };
    WebhookEndpointListDto: { data: components['schemas']['WebhookEndpointDto'][] };
    WebhookReplayDto: { deliveries?: number; after?: number; to?: number };
    WebhookSecretDto: {
      secret: string;
      /** Format: date-time */
      previousSecretUntil: string;
    };
    WeeklyScheduleDto: {
      monday?: components['schemas']['DayScheduleDto'];
      tuesday?: components['schemas']['DayScheduleDto'];
      wednesday?: components['schemas']['DayScheduleDto'];
      thursday?: components['schemas']['DayScheduleDto'];
      friday?: components['schemas']['DayScheduleDto'];
      saturday?: components['schemas']['DayScheduleDto'];
      sunday?: components['schemas']['DayScheduleDto'];
    };
    WorkflowDto: {
      _id: string;
      workflowId: string;
      slug: string;
      name: string;
      description?: string;
      tags: string[];
      active: boolean;
      status: 'ACTIVE' | 'INACTIVE' | 'ERROR';
      origin: 'platform-cloud' | 'platform-cloud-v1' | 'external';
      severity: 'high' | 'medium' | 'low' | 'none';
      lastTriggeredAt?: string;
      createdAt: string;
      updatedAt: string;
      revision: string;
      validatePayload: boolean;
      escapeHtml: boolean;
      whileRetrying: 'continue' | 'wait';
      payloadSchema?: { [key: string]: unknown };
      payloadExample?: { [key: string]: unknown };
      preferences: components['schemas']['WorkflowPreferencesDto'];
      steps: components['schemas']['WorkflowStepDto'][];
    };
    WorkflowGroupDto: { workflowIds?: string[]; tags?: string[] };
    WorkflowListDto: { workflows: components['schemas']['WorkflowOverviewDto'][]; totalCount: number };
    WorkflowOverviewDto: {
      _id: string;
      workflowId: string;
      slug: string;
      name: string;
      description?: string;
      tags: string[];
      active: boolean;
      status: 'ACTIVE' | 'INACTIVE' | 'ERROR';
      origin: 'platform-cloud' | 'platform-cloud-v1' | 'external';
      severity: 'high' | 'medium' | 'low' | 'none';
      lastTriggeredAt?: string;
      createdAt: string;
      updatedAt: string;
      stepTypeOverviews: (
        | 'in_app'
        | 'email'
        | 'sms'
        | 'chat'
        | 'push'
        | 'digest'
        | 'trigger'
        | 'delay'
        | 'throttle'
        | 'custom'
      )[];
      steps: components['schemas']['StepOverviewDto'][];
    };
    WorkflowPreferencesDto: {
      default: components['schemas']['CompletePreferenceLayerDto'];
      user?: components['schemas']['CompletePreferenceLayerDto'];
    };
    WorkflowPreferencesInputDto: {
      user?: components['schemas']['PreferenceLayerDto'] | null;
      workflow?: components['schemas']['PreferenceLayerDto'] | null;
    };
    WorkflowStatisticsDto: {
      accepted: number;
      delivered: number;
      failed: number;
      skipped: number;
      failures: number;
      recovered: number;
      _id: string;
      workflowId: string;
      lastTriggeredAt: string | null;
    };
    WorkflowStatisticsListDto: { data: components['schemas']['WorkflowStatisticsDto'][] };
    WorkflowStepDto: {
      _id: string;
      stepId: string;
      slug: string;
      name: string;
      type: 'in_app' | 'email' | 'sms' | 'chat' | 'push' | 'digest' | 'delay' | 'throttle' | 'custom';
      origin: 'platform-cloud' | 'platform-cloud-v1' | 'external';
      workflowId: string;
      workflowDatabaseId: string;
      controls: components['schemas']['StepControlsDto'];
      controlValues:
        | components['schemas']['InAppControlsDto']
        | components['schemas']['EmailControlsDto']
        | components['schemas']['SmsControlsDto']
        | components['schemas']['ChatControlsDto']
        | components['schemas']['PushControlsDto']
        | components['schemas']['DigestControlsDto']
        | components['schemas']['DelayControlsDto']
        | components['schemas']['ThrottleControlsDto']
        | components['schemas']['CustomControlsDto'];
      variables: { [key: string]: unknown };
      issues?: { [key: string]: unknown };
      active: boolean;
      shouldStopOnFail: boolean;
      filters: components['schemas']['StepFilterDto'][];
      variants: components['schemas']['StepVariantDto'][];
    };
    WorkflowStepInputDto:
      | components['schemas']['InAppStepInputDto']
      | components['schemas']['EmailStepInputDto']
      | components['schemas']['SmsStepInputDto']
      | components['schemas']['ChatStepInputDto']
      | components['schemas']['PushStepInputDto']
      | components['schemas']['DigestStepInputDto']
      | components['schemas']['DelayStepInputDto']
      | components['schemas']['ThrottleStepInputDto']
      | components['schemas']['CustomStepInputDto'];
    WorkflowVersionDetailDto: {
      version: number;
      isCurrent: boolean;
      createdAt: string;
      changes: string[];
      actor?: components['schemas']['AuditActorDto'];
      steps: components['schemas']['WorkflowStepDto'][];
    };
    WorkflowVersionDto: {
      version: number;
      isCurrent: boolean;
      createdAt: string;
      changes: string[];
      actor?: components['schemas']['AuditActorDto'];
    };
    WorkflowVersionListDto: { data: components['schemas']['WorkflowVersionDto'][]; hasMore: boolean };
    WorkspaceDto: { id: string; name?: string; botUserId?: string };
  };
}
