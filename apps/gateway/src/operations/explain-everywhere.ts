import { DomainError, type EnvironmentExplanationDto, type ExplainDto } from '@clarion/contracts';
import type { Environment } from '@clarion/persistence';
import type { ExplanationService } from '../triggers/explain/explanation.service';

/** The explanations of all environments that have the subscriber and the workflow. Throws if none has both. */
export async function explainEverywhere(
  explanations: ExplanationService,
  environments: Pick<Environment, 'id' | 'name'>[],
  subscriberId: string,
  question: ExplainDto,
): Promise<EnvironmentExplanationDto[]> {
  const found: EnvironmentExplanationDto[] = [];
  let missing = new DomainError('not_found', 'There is no environment');
  for (const { id: environmentId, name: environment } of environments) {
    try {
      const explained = await explanations.explain({ environmentId }, subscriberId, question);
      found.push({ environmentId, environment, ...explained });
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'not_found') throw error;
      missing = error;
    }
  }
  if (found.length === 0) throw missing;
  return found;
}
