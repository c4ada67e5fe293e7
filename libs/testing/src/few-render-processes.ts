type RenderLimits = { keepReady?: boolean; budget: { burstMs: number } };

/**
 * Lets the renderer of a gateway start a render process when it needs one, and load into it what the jobs need. A
 * gateway that serves customers keeps two ready with everything loaded, which costs more than most specs do.
 * Environments have render time for a minute: on a busy machine the templates of a spec take longer.
 */
export function startFewRenderProcesses(renderer: object): void {
  const { limits } = Reflect.get(renderer, 'processes') as { limits: RenderLimits };
  limits.keepReady = false;
  limits.budget.burstMs = 60_000;
}
