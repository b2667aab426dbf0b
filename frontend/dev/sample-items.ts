import type * as api from '../src/host/api.gen';

const html = (...blocks: string[]) => blocks.map((block) => ({ html: block }));

/** One of each kind of item, as a conversation might bring them. */
export function sampleItems(start: number): api.Item[] {
  const bodies: Omit<api.Item, 'id' | 'pos' | 'at'>[] = [
    user('What will the weather be like this weekend? And how did last week compare?'),
    {
      kind: 'reasoning',
      from: 'agent',
      reasoning: {
        text: 'The user wants a forecast and a comparison. I have both from the station.',
        state: 'done',
      },
    },
    {
      kind: 'tool',
      from: 'agent',
      tool: {
        name: 'forecast',
        arguments: '{\n  "place": "Berlin",\n  "days": 5\n}',
        result: '{ "ok": true }',
        state: 'done',
      },
    },
    agent(
      '<p>Light rain until six this evening, then <strong>clear and mild</strong> over the weekend. Last week was colder:</p>',
      '<table><thead><tr><th>Day</th><th>Last week</th><th>This week</th></tr></thead><tbody><tr><td>Friday</td><td>14°</td><td>18°</td></tr><tr><td>Saturday</td><td>15°</td><td>23°</td></tr><tr><td>Sunday</td><td>13°</td><td>24°</td></tr></tbody></table>',
      '<ul><li>Take a coat on Friday.</li><li>Saturday is the day for a walk; see <a href="https://weather.example.org/berlin">the hourly forecast</a>.</li></ul>',
      '<pre><code class="language-python">def warmest(days):\n    return max(days, key=lambda day: day.high)</code></pre>',
    ),
    {
      kind: 'surface',
      from: 'agent',
      surface: {
        instance_id: 'weather-1',
        app_id: 'demo.weather',
        name: 'Weather',
        title: 'Berlin, five days',
        version: '1.0.0',
        mark: 'unverified',
        checks: ['signature_none', 'integrity_ok', 'demo_agent'],
        status: 'open',
        height: 190,
        strikes: 0,
        dropped: 0,
        errors: 0,
      },
    },
    {
      kind: 'plan',
      from: 'agent',
      plan: {
        title: 'What I will do',
        steps: [
          { label: 'Read the station data', state: 'done' },
          { label: 'Compare the two weeks', state: 'working' },
          { label: 'Write it down', state: 'pending' },
        ],
      },
    },
    { kind: 'progress', from: 'agent', progress: { label: 'Comparing', value: 62, max: 100 } },
    { kind: 'status', from: 'agent', status: { text: 'Reading the station data', state: 'working' } },
    {
      kind: 'call',
      from: 'host',
      call: {
        call_id: 'call-1',
        capability: 'clipboard.write',
        title: 'Copy text to the clipboard',
        summary: '214 characters',
        status: 'completed',
      },
    },
    {
      kind: 'choice',
      from: 'agent',
      choice: {
        prompt: 'Which day should I plan for?',
        options: [
          { id: 'fri', label: 'Friday' },
          { id: 'sat', label: 'Saturday', description: 'the warmest one' },
          { id: 'sun', label: 'Sunday' },
        ],
        multiple: false,
        min: 1,
        max: 1,
        answer: { status: '' },
      },
    },
    {
      kind: 'confirm',
      from: 'agent',
      confirm: {
        prompt: 'Remove last week’s notes?',
        confirm_label: 'Remove',
        tone: 'danger',
        answer: { status: '' },
      },
    },
    {
      kind: 'input',
      from: 'agent',
      input: {
        prompt: 'Where do you start?',
        multiline: false,
        placeholder: 'A place',
        answer: { status: '' },
      },
    },
    {
      kind: 'error',
      from: 'agent',
      error: { code: 'station_busy', message: 'The station did not answer in time.', retryable: true },
    },
    { kind: 'notice', from: 'host', notice: { code: 'unsupported', type: 'ui.hologram', has_json: true } },
    user('这个周末适合爬山吗？'),
    agent(
      '<p>适合。周六最高气温 23°，微风，<strong>降水概率低于 5%</strong>。建议上午出发。</p>',
      '<p dir="rtl">هذا الأسبوع أدفأ من الأسبوع الماضي.</p>',
    ),
  ];
  return bodies.map((body, i) => ({ id: `item-${i}`, pos: i + 1, at: start + i * 60_000, ...body }));
}

function user(text: string): Omit<api.Item, 'id' | 'pos' | 'at'> {
  return { kind: 'message', from: 'user', message: { blocks: [], blocks_from: 0, streaming: false, text } };
}

function agent(...blocks: string[]): Omit<api.Item, 'id' | 'pos' | 'at'> {
  return {
    kind: 'message',
    from: 'agent',
    message: { blocks: html(...blocks), blocks_from: 0, streaming: false },
  };
}
