package store

import (
	"errors"
	"strings"
)

// Words says to a person why a data file could not be opened or written, in the
// language of the tag ("zh…" is 简体中文, all else English). false: err is none of
// the kinds a person can do something about.
func Words(err error, tag string) (string, bool) {
	for _, w := range words {
		if errors.Is(err, w.kind) {
			if strings.HasPrefix(strings.ToLower(tag), "zh") {
				return w.zh, true
			}
			return w.en, true
		}
	}
	return "", false
}

var words = []struct {
	kind   error
	en, zh string
}{
	{ErrLocked, "LineUp is already running with this data folder.", "LineUp 已在使用此数据文件夹运行。"},
	{ErrForeign, "The data file was not made by LineUp. It was left as it is; choose another data folder.", "该数据文件不是由 LineUp 创建的，未作任何改动。请选择其他数据文件夹。"},
	{ErrNewer, "The data file was written by a newer version of LineUp. Please update.", "该数据文件由更新版本的 LineUp 写入，请升级。"},
	{ErrCorrupt, "The data file is damaged. Restore a copy, or move it away to start afresh.", "数据文件已损坏。请恢复备份，或将其移走后重新开始。"},
	{ErrFull, "The disk is full; nothing could be saved.", "磁盘已满，无法保存。"},
}
