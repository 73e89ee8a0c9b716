// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QIODevice>

#include <cstring>
#include <functional>

namespace sg::http {

/// A request body that can be read once. Because it is sequential and cannot be rewound, Qt cannot send it again when
/// a connection breaks.
class BodyDevice final : public QIODevice
{
public:
    BodyDevice(QByteArray bytes, std::function<void()> onFirstRead)
        : bytes_(std::move(bytes))
        , onFirstRead_(std::move(onFirstRead))
    {
        open(QIODevice::ReadOnly | QIODevice::Unbuffered);
    }

    bool wasAsked() const { return position_ > 0; } ///< a byte of it may have left
    QByteArray take() { return std::move(bytes_); } ///< nobody reads it any more

    bool isSequential() const override { return true; }
    bool reset() override { return false; }
    qint64 bytesAvailable() const override { return bytes_.size() - position_ + QIODevice::bytesAvailable(); }
    bool atEnd() const override { return position_ == bytes_.size(); }

protected:
    qint64 readData(char* to, qint64 most) override
    {
        if (onFirstRead_) {
            onFirstRead_();
            onFirstRead_ = nullptr;
        }
        const qint64 count = std::min<qint64>(most, bytes_.size() - position_);
        if (count == 0)
            return -1;
        std::memcpy(to, bytes_.constData() + position_, static_cast<std::size_t>(count));
        position_ += count;
        return count;
    }
    qint64 writeData(const char*, qint64) override { return -1; }

private:
    QByteArray bytes_;
    std::function<void()> onFirstRead_;
    qint64 position_ = 0;
};

} // namespace sg::http
