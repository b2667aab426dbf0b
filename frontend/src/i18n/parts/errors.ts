import { part } from '../part';

/** What the host's stable error codes mean to a person. */
export const errors = part(
  {
    'error.unauthorized': 'This page may not do that any more. Load it again.',
    'error.bad_params': 'Something in that is not right.',
    'error.not_found': 'That is not there any more.',
    'error.already_answered': 'That was answered already.',
    'error.expired': 'It is too late: that has expired.',
    'error.too_soon': 'That was too quick. Look at it and try again.',
    'error.refused': 'LineUp refused that.',
    'error.busy': 'Something else is at work. Try again in a moment.',
    'error.offline': 'There is no connection to LineUp right now.',
    'error.queue_full': 'Too much waits for the connection. Try again later.',
    'error.internal': 'Something went wrong in LineUp.',
  },
  {
    'error.unauthorized': '此页面已失去权限，请重新加载。',
    'error.bad_params': '填写的内容有误。',
    'error.not_found': '该内容已不存在。',
    'error.already_answered': '已经回答过了。',
    'error.expired': '已过期。',
    'error.too_soon': '操作太快，请看清楚后再试。',
    'error.refused': 'LineUp 拒绝了此操作。',
    'error.busy': '正在处理其他事情，请稍后再试。',
    'error.offline': '目前没有与 LineUp 的连接。',
    'error.queue_full': '等待发送的内容太多，请稍后再试。',
    'error.internal': 'LineUp 出了点问题。',
  },
);
