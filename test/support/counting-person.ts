import { type APIMessage, ComponentType } from 'discord.js';
import type { LocalChat } from '../../src/sandbox/chat/chat-server.ts';
import { type Filled, startingValues } from '../../src/sandbox/chat/visitor/submitted-form.ts';
import type { Outcome } from '../../src/sandbox/chat/visitor/visitor.ts';
import { button, readable } from './readable.ts';
import type { Guest } from './sandbox.ts';

type Component = NonNullable<Outcome['form']>['components'][number]['component'];

/** Presses within a window until a field holds that; none for a text, which is typed. */
function tapsOf(component: Component, values: readonly string[]): number {
  switch (component.type) {
    case ComponentType.TextInput:
      return 0;
    case ComponentType.RadioGroup:
    case ComponentType.Checkbox:
      return 1;
    case ComponentType.CheckboxGroup: {
      const ticks = new Set(startingValues(component));
      return ticks.symmetricDifference(new Set(values)).size;
    }
    default:
      // It is opened, and one of several choices does not close it.
      return values.length === 1 ? 2 : values.length + 2;
  }
}

/** A person in the first channel who counts what they do. */
export function countingPerson(chat: LocalChat, { id, channelId }: Guest) {
  const visitor = chat.visitor(id);
  const none = { commands: 0, presses: 0, windows: 0, taps: 0, texts: 0 };
  const steps = { ...none };
  let lastMessage: APIMessage | null = null;
  let openWindow: Outcome | null = null;

  function see(outcome: Outcome): string {
    openWindow = outcome.form === null ? null : outcome;
    lastMessage = outcome.message ?? lastMessage;
    return outcome.message === null ? '' : readable(outcome.message);
  }
  function componentOf(field: string): Component {
    const labels = openWindow?.form?.components ?? [];
    const label = labels.find(({ component }) => component.custom_id === field);
    if (label === undefined) throw new Error(`the window does not ask for ${field}`);
    return label.component;
  }
  return {
    steps,
    reset: () => Object.assign(steps, none),
    /** Types a command with its options. */
    async type(command: string, options: Readonly<Record<string, string>> = {}): Promise<string> {
      steps.commands += 1;
      const typedOptions = Object.entries(options).map(([name, value]) => ({ name, value }));
      return see(await visitor.invoke(channelId, command, typedOptions));
    },
    /** Presses a button of that message, by default of the one that came last. */
    async press(label: string, message = lastMessage): Promise<string> {
      if (message === null) throw new Error('there is no message');
      steps.presses += 1;
      return see(await visitor.press(message.id, button(message, label)));
    },
    /** The choices of a field in the open window. */
    choices(field: string): readonly string[] {
      const component = componentOf(field);
      return 'options' in component ? component.options.map(({ value }) => value) : [];
    },
    /** Fills in these fields of the open window, and sends it. */
    async fill(filled: Filled): Promise<string> {
      for (const [field, value] of Object.entries(filled)) {
        const component = componentOf(field);
        steps.taps += tapsOf(component, [value].flat());
        if (component.type === ComponentType.TextInput) steps.texts += 1;
      }
      steps.windows += 1;
      return see(await visitor.submit(openWindow?.interactionId ?? '', filled));
    },
    pictures: () => lastMessage?.attachments.length ?? 0,
  };
}

export type CountingPerson = ReturnType<typeof countingPerson>;

export const counts = (steps: Partial<CountingPerson['steps']>) => ({
  ...{ commands: 0, presses: 0, windows: 0, taps: 0, texts: 0 },
  ...steps,
});

/** What is typed, pressed and sent, whatever is in its windows. */
export const actsOf = ({ steps: { commands, presses, windows } }: CountingPerson): number =>
  commands + presses + windows;
