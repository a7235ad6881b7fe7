/** Alerts, by the real bot over the sandbox. */
import { describe, expect, vi } from 'vitest';
import { createBot } from '../support/bot.ts';
import { hasRedis } from '../support/requirements.ts';
import { test } from '../support/sandbox.ts';
import { test as shared } from '../support/shared-store.ts';
