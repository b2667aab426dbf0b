import { beforeEach, describe, expect, it } from 'vitest';
import { FakeHost } from './fake-host';
import { Trust } from './trust.svelte';

const key = (name: string) => ({ key: 'RW' + name, key_id: '0', name, added_at: 1 });
const bundle = (agent_id: string, digest: string) => ({
  agent_id,
  agent_name: 'A',
  digest,
  app_id: 'a.b',
  name: 'N',
  added_at: 1,
});

describe('Trust', () => {
  let host: FakeHost;
  let trust: Trust;
  let known = { keys: [key('Acme')], allowed: [bundle('a', 'x'), bundle('b', 'x')] };
  beforeEach(() => {
    host = new FakeHost();
    known = { keys: [key('Acme')], allowed: [bundle('a', 'x'), bundle('b', 'x')] };
    host.on('trust.list', () => known);
    trust = new Trust(host);
  });
  const settled = () => new Promise((done) => setTimeout(done));

  it('follows changes while it is watched, and only then', async () => {
    host.update({ activity_dirty: true });
    await settled();
    expect(host.of('trust.list')).toHaveLength(0);
    const stop = trust.watch();
    await settled();
    expect(trust.keys.map((k) => k.name)).toEqual(['Acme']);
    known = { ...known, keys: [key('Acme'), key('Beta')] };
    host.update({ activity_dirty: true });
    await settled();
    expect(trust.keys.map((k) => k.name)).toEqual(['Acme', 'Beta']);
    stop();
    host.update({ activity_dirty: true });
    await settled();
    expect(host.of('trust.list')).toHaveLength(2);
  });

  it('forgets one agent’s interface and not another’s of the same digest', async () => {
    await trust.load();
    await trust.disallow(known.allowed[0]!);
    expect(trust.allowed.map((b) => b.agent_id)).toEqual(['b']);
    expect(host.of('trust.disallow')).toEqual([{ agent_id: 'a', digest: 'x' }]);
  });

  it('keeps what the host would not remove', async () => {
    await trust.load();
    host.refuse('trust.remove_key', 'not_found');
    await expect(trust.removeKey('RWAcme')).rejects.toThrow('not_found');
    expect(trust.keys).toHaveLength(1);
  });
});
