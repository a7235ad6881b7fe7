import type { Runtime } from '../base/runtime.ts';
import type { DataService } from '../service/open-data-service.ts';
import { READ_EVERY } from './intake.ts';
import type { LookUps } from './look-ups.ts';
import { createRecorder, type Recorder, type RecorderParts } from './recorder.ts';

interface Sources extends Pick<RecorderParts, 'chunks' | 'isHidden' | 'holdsLease'> {
  readonly lookUps: LookUps;
  readonly dataService: Pick<DataService, 'poll' | 'observations'>;
  /** Called with what is to be done before the lease is given up. */
  readonly onRelease: (release: Recorder['release']) => void;
}

/** Reads the live files for history until the end, every 10 seconds where no board needs them sooner. */
export function startRecorder(
  { dataService: { poll, observations }, onRelease, ...parts }: Sources,
  { clock, log, resources }: Runtime,
): void {
  const failed = (error: unknown): void => log.error({ err: error }, 'history not written');
  const recorder = createRecorder({ ...parts, clock, failed });
  onRelease(recorder.release);
  resources.defer(() => recorder.stop());
  resources.defer(observations.listen(parts.lookUps.observed));
  void recorder.start();
  resources.defer(poll.watch(['live'], () => recorder.read(poll.facts), READ_EVERY));
}
